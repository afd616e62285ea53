import type { JsonObject, TerminalBackend, TerminalOpener } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";

/** A backend with remote environments, and its `terminal` settings. */
export interface Elsewhere {
  readonly id: "docker" | "ssh" | "singularity";
  readonly config: JsonObject;
}

/** @param home The agent's home. */
export async function openElsewhere({ id, config }: Elsewhere, home: string): Promise<TerminalBackend> {
  const opener = await openerOf(id, config, home);
  return {
    id,
    isolated: false,
    elsewhere: true,
    open: (options, signal) => opener.open(options, signal),
    [Symbol.asyncDispose]: () => opener[Symbol.asyncDispose](),
  };
}

async function openerOf(id: Elsewhere["id"], config: JsonObject, home: string): Promise<TerminalOpener> {
  if (id === "docker")
    return new (await import("../../terminal-docker/docker-backend.ts")).DockerBackend(config, quietLog());
  if (id === "ssh") return new (await import("../../terminal-ssh/ssh-backend.ts")).SshBackend(config);
  return new (await import("../../terminal-singularity/singularity-backend.ts")).SingularityBackend(
    config,
    home,
    quietLog(),
  );
}

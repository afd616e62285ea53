import { basename } from "node:path";
import { TerminalUnavailable, type JsonObject } from "hermes-agent/plugin";
import { ClientProgram, type Channel } from "hermes-agent/terminal";

/** Variables that the client needs to find its engine, and none that could reach a container. */
const CLIENT_ENVIRONMENT =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|SSH_AUTH_SOCK|XDG_.*|DOCKER_.*|CONTAINER.*|PODMAN_.*|STORAGE_.*)$/;

/** A container engine, through its command-line client: `docker`, `podman` or a path. */
export class Engine extends ClientProgram {
  constructor(client: string) {
    super(client, CLIENT_ENVIRONMENT);
  }

  /** A podman without a daemon of root's. */
  get rootless(): boolean {
    return basename(this.client) === "podman" && (process.getuid?.() ?? 0) !== 0;
  }

  /** Starts a bash in a container that runs already. @throws {TerminalUnavailable} */
  async visit(container: string): Promise<Channel> {
    const { code, out, error } = await this.ask([
      "inspect",
      "--type",
      "container",
      "-f",
      "{{.State.Running}}",
      "--",
      container,
    ]);
    if (code === 0 && out === "true") return this.shell(container);
    if (code === 0 || /no such (container|object)/i.test(error))
      throw new TerminalUnavailable(`The container ${container.slice(0, 12)} is not running.`, { gone: true });
    throw new TerminalUnavailable(`The container engine does not answer: ${error.split("\n").at(-1)}`);
  }

  /** Starts a bash in a running container. */
  shell(container: string): Channel {
    return this.channel(["exec", "-i", container, "bash", "--norc", "--noprofile"]);
  }
}

/** The client that is configured, else the first of docker and podman whose engine answers. */
export async function findEngine(
  config: JsonObject,
): Promise<{ readonly engine: Engine } | { readonly reason: string }> {
  const configured = config["docker_binary"];
  const reasons: string[] = [];
  for (const client of typeof configured === "string" && configured !== "" ? [configured] : ["docker", "podman"]) {
    const engine = new Engine(client);
    const { code, error } = await engine.ask(
      ["version", "--format", "{{.Client.Version}} {{if .Server}}{{.Server.Version}}{{end}}"],
      { timeoutMs: 10_000 },
    );
    if (code === 0) return { engine };
    reasons.push(
      /ENOENT/.test(error)
        ? `${client} is not on PATH`
        : `${client}: ${error.split("\n").at(-1) || "it does not answer"}`,
    );
  }
  return { reason: `No container engine is available (${reasons.join("; ")}).` };
}

import { after, test } from "node:test";
import { quietLog, terminalContract } from "hermes-agent/testing";
import { DockerBackend } from "./docker-backend.ts";
import { canRunDocker, killClients, realPodman, removeContainers } from "./testing/real-engines.ts";

/**
 * Features that differ between clients; all of them where docker's suite does not run, and for the table of results.
 */
const TELLING = [
  "exit-any-status",
  "killed-shell-goes-on",
  "output-huge",
  "timeout-tree",
  "timeout-detached",
  "cancel-quick",
  "agent-secrets-stay",
  "stdin-large",
  "file-in-the-place",
  "background-talk",
  "background-ends-with-terminal",
  "lost-is-unknown",
  "lost-ends-the-tree",
  "removed-is-said",
];
const engine = await realPodman();
// req: terminal.backend-docker
if (typeof engine === "string") test("terminal contract: podman", { skip: engine }, () => {});
else {
  after(() => engine[Symbol.asyncDispose]());
  terminalContract(
    "podman",
    () => new DockerBackend({ ...engine.config, docker_persist_across_processes: false }, quietLog()),
    {
      kind: "real",
      separate: true,
      hugeBytes: 1_000_000_000,
      cut: () => killClients("podman"),
      remove: ({ key }) => removeContainers("podman", key),
      only: canRunDocker() && process.env["HERMES_TERMINAL_RESULTS"] === undefined ? TELLING : undefined,
    },
  );
}

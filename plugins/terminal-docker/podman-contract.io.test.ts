import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
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

  // field: T13
  test("podman: a container that cannot start is removed", async () => {
    const left = (): string =>
      execFileSync("podman", ["ps", "-a", "-q", "--filter", "label=hermes-task-id=podman-never-starts"], {
        encoding: "utf8",
      });
    for (const args of [
      ["--ulimit", "nofile=99999999:99999999"],
      ["--device", "/dev/none"],
    ]) {
      await using backend = new DockerBackend(
        { ...engine.config, docker_persist_across_processes: false, docker_extra_args: args },
        quietLog(),
      );
      const { signal } = new AbortController();
      await assert.rejects(
        backend
          .open({ key: "podman-never-starts" }, signal)
          .then((terminal) => terminal.run("true", { signal, timeoutMs: 60_000 })),
        { name: "TerminalUnavailable", message: /Cannot start a container/ },
        args.join(" "),
      );
      assert.equal(left(), "", args.join(" "));
    }
  });
}

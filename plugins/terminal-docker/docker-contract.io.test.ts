import { after, test } from "node:test";
import { quietLog, terminalContract } from "hermes-agent/testing";
import { DockerBackend } from "./docker-backend.ts";
import { killClients, realDocker, removeContainers } from "./testing/real-engines.ts";

const engine = await realDocker();
// req: terminal.backend-docker
if (typeof engine === "string") test("terminal contract: docker", { skip: engine }, () => {});
else {
  after(() => engine[Symbol.asyncDispose]());
  terminalContract(
    "docker",
    () => new DockerBackend({ ...engine.config, docker_persist_across_processes: false }, quietLog()),
    {
      kind: "real",
      separate: true,
      hugeBytes: 1_000_000_000,
      cut: () => killClients("docker"),
      remove: ({ key }) => removeContainers("docker", key),
    },
  );
}

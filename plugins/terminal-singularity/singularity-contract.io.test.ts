import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { quietLog, terminalContract } from "hermes-agent/testing";
import { SingularityBackend } from "./singularity-backend.ts";
import { killClients, testRuntime } from "./testing/runtime.ts";

const runtime = testRuntime();
// req: terminal.backend-singularity
if (typeof runtime === "string") test("terminal contract: singularity", { skip: runtime }, () => {});
else {
  after(() => runtime[Symbol.dispose]());
  const remove = (terminal: { readonly key: string }) => {
    const { stdout } = spawnSync(runtime.client, ["instance", "list", "--json"], { encoding: "utf8" });
    const running = (JSON.parse(stdout) as { readonly instances: readonly { readonly instance: string }[] }).instances;
    for (const { instance } of running.filter(({ instance }) => instance.endsWith(`-${terminal.key}`)))
      spawnSync(runtime.client, ["instance", "stop", instance]);
  };
  terminalContract(
    "singularity",
    () => new SingularityBackend({ ...runtime.config, container_persistent: false }, runtime.home, quietLog()),
    { kind: runtime.kind, separate: true, hugeBytes: 1_000_000_000, cut: () => killClients(), remove },
  );
}

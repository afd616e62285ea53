import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import type { ToolEntry } from "../../engine/ports.ts";
import { Registry } from "../../engine/tools/registry.ts";
import { entryOf } from "../../engine/tools/tool-declaration.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { prepareTools } from "./prepare-tools.ts";
import { withTimeout } from "../../testing/wait-for.ts";

function toolsThat(prepare: () => Promise<void>): {
  readonly tools: Registry<ToolEntry>;
  readonly log: ReturnType<typeof quietLog>;
} {
  const tools = new Registry<ToolEntry>("tool", quietLog());
  const base = {
    toolset: "x",
    description: "X.",
    input: { type: "object" },
    effect: "none",
    execute: async () => null,
  } as const;
  tools.add("slow", entryOf({ ...base, name: "slow", prepare }), "test");
  tools.add("plain", entryOf({ ...base, name: "plain" }), "test");
  return { tools, log: quietLog() };
}

test("prepares a tool and the code of calls once while a model thinks, and ignores a failed preparation", async () => {
  let times = 0;
  let loads = 0;
  const load = async (): Promise<void> => void loads++;
  const asked = Promise.withResolvers<void>();
  const ports = toolsThat(async () => {
    times++;
    asked.resolve();
    throw new Error("not now");
  });
  for (let turn = 0; turn < 2; turn++) {
    using _ = prepareTools(ports, ["plain", "slow", "gone"], load);
    await withTimeout(asked.promise, { what: "the question is asked" });
    await sleep(100);
  }
  assert.equal(times, 1);
  assert.equal(loads, 1);
});

test("prepares nothing if the model answers at once", async () => {
  let times = 0;
  const ports = toolsThat(async () => void times++);
  prepareTools(ports, ["slow"], async () => void times++)[Symbol.dispose]();
  await sleep(150);
  assert.equal(times, 0);
});

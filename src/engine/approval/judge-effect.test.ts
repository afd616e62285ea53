import assert from "node:assert/strict";
import { test } from "node:test";
import { callFixture } from "../dispatch/call-fixture.ts";
import { createJudgeEffect } from "./judge-effect.ts";

// req: dispatch.concurrency
test("only calls that change nothing or are declared parallel, need no user and carry no risk run in parallel", async () => {
  const { add, ports, session } = callFixture();
  const input = { type: "object", properties: { command: { type: "string" } } };
  add({ name: "read" });
  add({ name: "none", effect: "none" });
  add({ name: "write", effect: "write" });
  add({ name: "hands_on", effect: "execute", parallel: true });
  add({ name: "net", effect: "network" });
  add({ name: "clarify", effect: "none", interactive: true });
  add({ name: "risky", risk: () => ({ answer: "ask", key: "k", reasons: [], effects: [] }) });
  add({ name: "shell", effect: ({ command }) => (command === "ls" ? "read" : "execute"), input });
  add({
    name: "broken",
    effect: () => {
      throw new Error("x");
    },
  });
  add({
    name: "broken_risk",
    risk: () => {
      throw new Error("x");
    },
  });
  const judge = createJudgeEffect(ports);
  const parallel = async (tool: string, args: string) =>
    (await judge({ turnId: "t", callId: "c", tool, args, by: "model" }, session)).parallel;
  const verdicts: { [call: string]: boolean } = {};
  for (const [tool, args] of [
    ["read", "{}"],
    ["none", "{}"],
    ["write", "{}"],
    ["hands_on", "{}"],
    ["net", "{}"],
    ["clarify", "{}"],
    ["risky", "{}"],
    ["shell", '{"command":"ls"}'],
    ["shell", '{"command":"rm"}'],
    ["shell", "{bad"],
    ["broken", "{}"],
    ["broken_risk", "{}"],
    ["unknown_thing", "{}"],
  ] as const) {
    verdicts[`${tool} ${args}`] = await parallel(tool, args);
  }
  assert.deepEqual(verdicts, {
    "read {}": true,
    "none {}": true,
    "write {}": false,
    "hands_on {}": true,
    "net {}": false,
    "clarify {}": false,
    "risky {}": false,
    'shell {"command":"ls"}': true,
    'shell {"command":"rm"}': false,
    "shell {bad": true,
    "broken {}": false,
    "broken_risk {}": false,
    "unknown_thing {}": true,
  });
});

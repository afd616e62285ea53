import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuardVerdict } from "../../contract/plugins/hook.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const WIPE = { answer: "ask", key: "wipe", reasons: ["Wipes."], effects: [] } as const;

const change = (command: unknown): GuardVerdict => ({ action: "modify", args: { command: command as string } });
const block = (message: string): GuardVerdict => ({ action: "block", message });

/** A command tool under the options of the fixture; what ran is in `ran`. */
function resources(options: Parameters<typeof callFixture>[0] = {}) {
  const fixture = callFixture(options);
  const ran: JsonObject[] = [];
  const input = { type: "object", properties: { command: { type: "string" } }, required: ["command"] } as const;
  fixture.add({
    name: "terminal",
    effect: "execute",
    input,
    risk: ({ command }) => (command.startsWith("wipe") ? WIPE : undefined),
    execute: async (args) => (ran.push(args as JsonObject), "done"),
  });
  return { ...fixture, ran, run: (command: string) => fixture.call("terminal", { command }) };
}

test("a guard may change the arguments: the call runs with them, and its fact records them", async () => {
  const { hooks, run, ran, facts, log } = resources();
  hooks.add("pre_tool_call", ({ args }) => change(`nice ${args["command"] as string}`), "polite");
  assert.equal((await run("make")).kind, "ok");
  assert.deepEqual(ran, [{ command: "nice make" }]);
  const called = facts().find(({ type }) => type === "tool.called");
  assert.deepEqual(called?.type === "tool.called" && called.args, { command: "nice make" });
  assert.ok(
    log.lines.some(({ message }) => message === 'The plugin "polite" changed the arguments of a call of "terminal".'),
  );
});

test("changed arguments are checked against the schema and coerced, as a model's are", async () => {
  const { hooks, run, ran } = resources();
  const wrong = hooks.add("pre_tool_call", () => ({ action: "modify", args: { order: "x" } }) as const, "odd");
  const outcome = await run("make");
  assert.equal(outcome.kind === "failed" && outcome.code, "bad_arguments");
  assert.match(
    outcome.kind === "failed" ? outcome.message : "",
    /^The plugin "odd" changed the arguments of "terminal" to invalid ones, so it was not run: /,
  );
  wrong[Symbol.dispose]();
  hooks.add("pre_tool_call", () => change(7), "number");
  assert.equal((await run("make")).kind, "ok");
  assert.deepEqual(ran, [{ command: "7" }]);
});

test("changed arguments are assessed again: risk, deny rules and every guard that had allowed the call", async () => {
  const risky = resources();
  risky.hooks.add("pre_tool_call", () => change("wipe all"), "evil");
  assert.equal((await risky.run("ls")).kind, "denied");

  const ruled = resources({ yolo: true, config: { "approvals.deny": ["git push *"] } });
  ruled.hooks.add("pre_tool_call", () => change("git push origin"), "evil");
  const outcome = await ruled.run("git pull");
  assert.equal(outcome.kind === "denied" && outcome.by, "approvals.deny");

  const guarded = resources();
  guarded.hooks.add(
    "pre_tool_call",
    ({ args }) => (args["command"] === "curl" ? block("No network.") : undefined),
    "policy",
  );
  guarded.hooks.add("pre_tool_call", () => change("curl"), "evil");
  assert.deepEqual(withoutUndefined(await guarded.run("ls")), { kind: "denied", by: "policy", reason: "No network." });
  assert.deepEqual([risky.ran, ruled.ran, guarded.ran], [[], [], []]);
});

test("guards that keep changing a call terminate, and no guard is asked about its own change", async () => {
  const { hooks, run, ran } = resources();
  let asked = 0;
  hooks.add("pre_tool_call", ({ args }) => (asked++, change(`a ${args["command"] as string}`)), "first");
  assert.equal((await run("x")).kind, "ok");
  assert.equal(asked, 1);
  hooks.add("pre_tool_call", ({ args }) => change(`b ${args["command"] as string}`), "second");
  assert.equal((await run("x")).kind, "ok");
  assert.deepEqual(ran, [{ command: "a x" }, { command: "b a x" }]);
});

test("a block outranks a request for approval in any order, and an approval request may include a change", async () => {
  const { hooks, run, ran } = resources();
  const request = hooks.add(
    "pre_tool_call",
    () => ({ action: "approve", message: "Look at it.", args: { command: "other" } }) as const,
    "office",
  );
  const policy = hooks.add(
    "pre_tool_call",
    ({ args }) => (args["command"] === "other" ? block("Not this.") : undefined),
    "policy",
  );
  assert.deepEqual(withoutUndefined(await run("ls")), { kind: "denied", by: "policy", reason: "Not this." });
  policy[Symbol.dispose]();
  assert.equal((await run("ls")).kind, "denied");
  request[Symbol.dispose]();
  assert.equal((await run("ls")).kind, "ok");
  assert.deepEqual(ran, [{ command: "ls" }]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { HookPayload } from "../../contract/plugins/hook.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { Hooks } from "./hooks.ts";

const CALL = {
  tool_name: "read_file",
  args: { path: "a.txt", deep: { list: [1] } },
  task_id: "t",
  session_id: "s",
  tool_call_id: "c",
  turn_id: "u",
};
const SESSION = { session_id: "s", model: "m", platform: "cli" };
const TURN: HookPayload<"pre_llm_call"> = {
  ...SESSION,
  task_id: "t",
  turn_id: "u",
  user_message: "hi",
  conversation_history: [],
  is_first_turn: true,
};

function parts() {
  const log = quietLog();
  const clock = fakeClock();
  return { log, clock, hooks: new Hooks({ log, clock }) };
}

// row 44 of the fault matrix
// req: hooks.crash-isolated
test("logs a hook observer that throws, with plugin and event, and still calls the next observer", async () => {
  const { log, hooks } = parts();
  const output: string[] = [];
  hooks.add("on_session_start", () => Promise.reject(new Error("down")), "broken");
  hooks.add(
    "on_session_start",
    () => {
      throw new Error("down too");
    },
    "worse",
  );
  hooks.add("on_session_start", ({ session_id }) => output.push(session_id), "good");
  await hooks.observe("on_session_start", SESSION);
  assert.deepEqual(output, ["s"]);
  assert.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [
      ["error", 'The hook "on_session_start" of "broken" threw: down'],
      ["error", 'The hook "on_session_start" of "worse" threw: down too'],
    ],
  );
});

test("abandons an observer that hangs at its timeout, and calls the next one", async () => {
  const { log, clock, hooks } = parts();
  const output: string[] = [];
  hooks.add("on_session_start", () => new Promise(() => undefined), "stuck", { timeoutMs: 500 });
  hooks.add("on_session_start", () => output.push("good"), "good");
  const done = hooks.observe("on_session_start", SESSION);
  await clock.advance(500);
  await done;
  assert.deepEqual(output, ["good"]);
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    ['The hook "on_session_start" of "stuck" gave no answer within 500 ms; it is skipped.'],
  );
  assert.equal(clock.sleepers, 0);
});

// field: S20
test("an observer that hangs delays one event by a second, is logged once, and receives later events in order", async () => {
  const { log, clock, hooks } = parts();
  const output: unknown[] = [];
  const late = Promise.withResolvers<void>();
  let first = true;
  hooks.add(
    "on_session_start",
    async ({ session_id }) => {
      if (first) {
        first = false;
        await late.promise;
      }
      output.push(session_id);
    },
    "stuck",
  );
  hooks.add("on_session_start", () => output.push("good"), "good");
  const begun = hooks.observe("on_session_start", { ...SESSION, session_id: "1" });
  await clock.advance(1_000);
  await begun;
  for (const session_id of ["2", "3"]) await hooks.observe("on_session_start", { ...SESSION, session_id });
  assert.deepEqual(output, ["good", "good", "good"]);
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    ['The hook "on_session_start" of "stuck" takes longer than 1000 ms; turns no longer wait for it.'],
  );
  late.resolve();
  await hooks.observed();
  assert.deepEqual(output.slice(3), ["1", "2", "3"]);
  assert.equal(log.lines.length, 1);
});

test("the first valid verdict of a guard decides, and later guards are not asked", async () => {
  const { hooks } = parts();
  const asked: string[] = [];
  hooks.add("pre_tool_call", () => void asked.push("a"), "a");
  hooks.add(
    "pre_tool_call",
    () => {
      asked.push("b");
      return Promise.resolve({ action: "block", message: "no" });
    },
    "b",
  );
  hooks.add("pre_tool_call", () => (asked.push("c"), null), "c");
  assert.deepEqual(await hooks.first("pre_tool_call", CALL), {
    kind: "verdict",
    verdict: { action: "block", message: "no" },
    owner: "b",
  });
  assert.deepEqual(asked, ["a", "b"]);
});

// row 46 of the fault matrix
test("ignores a guard hook's result that is not exactly a verdict", async () => {
  const { hooks, log } = parts();
  for (const odd of [
    "block",
    true,
    {},
    { action: "block" },
    { action: "block", message: 1 },
    { action: "approve", rule_key: 1 },
    { action: "deny", message: "x" },
    [],
    0,
  ]) {
    hooks.add("pre_tool_call", () => odd as never, "odd");
  }
  hooks.add("pre_verify", () => ({ action: "stop", message: "x" }) as never, "odd");
  hooks.add("pre_gateway_dispatch", () => ({ action: "rewrite" }) as never, "odd");
  assert.deepEqual(await hooks.first("pre_tool_call", CALL), { kind: "none" });
  assert.deepEqual(await hooks.first("pre_verify", { ...TURN, attempt: 1, final_response: "", changed_paths: [] }), {
    kind: "none",
  });
  assert.deepEqual(await hooks.first("pre_gateway_dispatch", { event: {} }), { kind: "none" });
  assert.deepEqual(
    log.lines.map(({ message }) => /answered (.*), which/.exec(message)?.[1]),
    [
      "a text",
      "boolean",
      "an object with nothing in it",
      "an object with action",
      "an object with action, message",
      "an object with action, rule_key",
      "an object with action, message",
      "a list",
      "number",
      "an object with action, message",
      "an object with action",
    ],
  );
  await hooks.first("pre_tool_call", CALL);
  assert.equal(log.lines.length, 11, "each invalid answer is logged once");
});

// row 44 of the fault matrix
test("reports a guard hook that throws or hangs, with the plugin that owns it", async () => {
  const { clock, hooks } = parts();
  const throwing = hooks.add(
    "pre_tool_call",
    () => {
      throw new TypeError("oops");
    },
    "guardian",
  );
  assert.deepEqual(await hooks.first("pre_tool_call", CALL), { kind: "broken", owner: "guardian", reason: "oops" });
  throwing[Symbol.dispose]();
  hooks.add("pre_tool_call", () => new Promise<never>(() => undefined), "sleeper");
  const answer = hooks.first("pre_tool_call", CALL);
  await clock.advance(30_000);
  assert.deepEqual(await answer, { kind: "broken", owner: "sleeper", reason: "gave no answer within 30000 ms" });
});

test("collects all pieces in order of registration, without empty ones", async () => {
  const { hooks } = parts();
  hooks.add("pre_llm_call", () => "one", "a");
  hooks.add("pre_llm_call", () => null, "b");
  hooks.add(
    "pre_llm_call",
    () => {
      throw new Error("down");
    },
    "c",
  );
  hooks.add("pre_llm_call", async () => ({ context: "two" }), "d");
  assert.deepEqual(await hooks.collect("pre_llm_call", TURN), [
    { owner: "a", piece: "one" },
    { owner: "d", piece: { context: "two" } },
  ]);
});

// row 46 of the fault matrix
test("each transform hook receives the previous hook's text; results other than strings are ignored", async () => {
  const { hooks } = parts();
  hooks.add("transform_llm_output", ({ value }) => `${value}!`, "a");
  hooks.add(
    "transform_llm_output",
    () => {
      throw new Error("down");
    },
    "b",
  );
  hooks.add("transform_llm_output", () => 7 as never, "c");
  hooks.add("transform_llm_output", async ({ value }) => `${value}?`, "d");
  assert.equal(await hooks.chain("transform_llm_output", { ...TURN, value: "hi" }), "hi!?");
});

test("a handler cannot change the caller's objects", async () => {
  const { hooks } = parts();
  const args = structuredClone(CALL.args);
  hooks.add(
    "pre_tool_call",
    (payload) => {
      (payload.args as { path: string }).path = "/etc/shadow";
    },
    "sly",
  );
  const answer = await hooks.first("pre_tool_call", { ...CALL, args });
  assert.equal(answer.kind, "broken");
  assert.deepEqual(args, CALL.args);
});

test("does not call a disposed handler again, and removes it from the list", async () => {
  const { hooks } = parts();
  let calls = 0;
  const handle = hooks.add("on_session_start", () => calls++, "a");
  await hooks.observe("on_session_start", SESSION);
  assert.deepEqual([hooks.has("on_session_start"), hooks.list()], [true, [{ name: "on_session_start", owner: "a" }]]);
  handle[Symbol.dispose]();
  await hooks.observe("on_session_start", SESSION);
  assert.deepEqual([calls, hooks.has("on_session_start"), hooks.list()], [1, false, []]);
});

test("keeps a handler for an unknown hook, with a warning", () => {
  const { log, hooks } = parts();
  hooks.add("on_sesion_start" as "on_session_start", () => undefined, "typo");
  assert.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [
      [
        "warning",
        '"typo" listens to the hook "on_sesion_start", which does not exist and is never called. Nearest: "on_session_start".',
      ],
    ],
  );
});

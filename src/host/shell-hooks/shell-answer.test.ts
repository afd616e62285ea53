import assert from "node:assert/strict";
import { test } from "node:test";
import type { HookName } from "../../contract/plugins/hook.ts";
import type { CommandRun } from "./run-command.ts";
import { answerOf } from "./shell-answer.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const run = (stdout: string, exitCode: number | null = 0, stderr = ""): CommandRun => ({
  endedBy: "exit",
  exitCode,
  stdout,
  stderr,
  durationMs: 1,
});
const text = (event: HookName, output: object | string, exitCode = 0) =>
  answerOf(event, run(typeof output === "string" ? output : JSON.stringify(output), exitCode));

// req: hooks.shell-block
test("accepts both spellings of a block before a tool, with any message", () => {
  const block = (message: string) => ({ answer: { action: "block", message } });
  assert.deepEqual(withoutUndefined(text("pre_tool_call", { action: "block", message: "no" })), block("no"));
  assert.deepEqual(withoutUndefined(text("pre_tool_call", { decision: "block", reason: "never" })), block("never"));
  assert.deepEqual(withoutUndefined(text("pre_tool_call", { decision: "deny", message: "not now" })), block("not now"));
  assert.deepEqual(withoutUndefined(text("pre_tool_call", { action: "block" })), block("Blocked by shell hook."));
  assert.deepEqual(withoutUndefined(text("pre_tool_call", { action: "allow" })), {});
  assert.deepEqual(
    withoutUndefined(text("post_tool_call", { action: "block", message: "no" })),
    {},
    "a completed call cannot be blocked",
  );
  assert.deepEqual(withoutUndefined(text("pre_command", { action: "block", message: "no" })), block("no"));
});

test("also accepts context for a turn and a request to continue it", () => {
  assert.deepEqual(withoutUndefined(text("pre_llm_call", { context: "It is Friday." })), {
    answer: { context: "It is Friday." },
  });
  assert.deepEqual(withoutUndefined(text("pre_llm_call", { context: "" })), {});
  assert.deepEqual(withoutUndefined(text("on_session_start", { context: "x" })), {});
  assert.deepEqual(withoutUndefined(text("pre_verify", { decision: "block", reason: "tests fail" })), {
    answer: { action: "continue", message: "tests fail" },
  });
});

// req: hooks.shell-block, R-60
test("output that is not JSON only warns; a guard that fails without a decision counts as broken", () => {
  assert.deepEqual(withoutUndefined(text("pre_tool_call", "looks fine")), { warning: "did not write a JSON object" });
  assert.deepEqual(withoutUndefined(text("pre_tool_call", "[1]")), { warning: "did not write a JSON object" });
  assert.deepEqual(withoutUndefined(text("pre_tool_call", "")), {});
  assert.deepEqual(answerOf("pre_tool_call", run("", 1, "Traceback\n")), { broken: "ended with status 1: Traceback" });
  assert.deepEqual(withoutUndefined(text("pre_tool_call", {}, 1)), { warning: "ended with status 1" });
  assert.deepEqual(withoutUndefined(text("pre_tool_call", { action: "block", message: "no" }, 1)), {
    answer: { action: "block", message: "no" },
    warning: "ended with status 1",
  });
  assert.deepEqual(answerOf("pre_tool_call", { ...run(""), endedBy: "failed", reason: "did not answer within 1 s" }), {
    broken: "did not answer within 1 s",
  });
});

test("exit status 2 of a guard refuses with the text from its standard error", () => {
  assert.deepEqual(answerOf("pre_tool_call", run("", 2, "no pushes on Friday\n")), {
    answer: { action: "block", message: "no pushes on Friday" },
  });
  assert.deepEqual(answerOf("pre_tool_call", run("", 2)), {
    answer: { action: "block", message: "Blocked by shell hook." },
  });
  assert.deepEqual(answerOf("post_tool_call", run("", 2, "x")), { broken: "ended with status 2: x" });
});

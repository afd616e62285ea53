import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type SubagentResult, type SubagentTask, type ToolContext } from "hermes-agent/plugin";
import { delegate } from "./delegate.ts";
import { limitsOf } from "./limits.ts";

const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

/** A call whose subagents end as configured; records their input. */
function call(
  end: Partial<SubagentResult> | Error,
  settings: { readonly [path: string]: number | boolean } = {},
  depth = 0,
) {
  const tasks: SubagentTask[] = [];
  const context = {
    depth,
    sessionId: `session-${Math.random()}`,
    signal: new AbortController().signal,
    config: (path: string) => settings[path],
    scratch: () => Promise.reject(new Error("no space left on device")),
    async spawn(task: SubagentTask): Promise<SubagentResult> {
      tasks.push(task);
      if (end instanceof Error) throw end;
      return {
        sessionId: "child",
        reason: "done",
        text: "said",
        model: "m",
        requests: 1,
        usage: NOTHING,
        durationMs: 1234,
        calls: [],
        ...end,
      };
    },
  } as unknown as ToolContext;
  return { tasks, run: (input: Parameters<typeof delegate>[0]) => delegate(input, context, (text) => text) };
}

// Witnessed on hermes-agent 0.19.0: the words of status and exit_reason.
for (const [end, status, exit] of [
  [{}, "completed", "completed"],
  [{ reason: "limit" }, "completed", "max_iterations"],
  [{ reason: "limit", text: "" }, "failed", "max_iterations"],
  [{ reason: "cancelled", detail: "stopped" }, "interrupted", "interrupted"],
  [{ reason: "timeout", detail: "late" }, "timeout", "timeout"],
  [{ reason: "failed", detail: "broke" }, "failed", "error"],
] as const) {
  test(`a subagent that ended as ${JSON.stringify(end)} is reported as ${status}, ${exit}`, async () => {
    const { results } = await call(end).run({ goal: "g" });
    assert.deepEqual(
      [results[0]!["status"], results[0]!["exit_reason"], results[0]!["error"]],
      [status, exit, "detail" in end ? end.detail : undefined],
    );
  });
}

// row 16 of the fault matrix
test("if a long summary cannot be saved, returns its beginning and says that the rest is lost", async () => {
  const long = call({ text: "x".repeat(300) }, { "delegation.max_summary_chars": 100 });
  const { results } = await long.run({ goal: "g" });
  assert.deepEqual(
    [results[0]!["status"], results[0]!["summary"], results[0]!["summary_truncated"], results[0]!["summary_rest_lost"]],
    ["completed", "x".repeat(100), true, "no space left on device"],
  );
});

test("tasks win over a goal given beside them; shared context, toolsets and role apply where a task has none", async () => {
  const { tasks, run } = call({}, { "delegation.max_spawn_depth": 2 });
  await run({
    goal: "ignored",
    context: "shared",
    toolsets: ["file"],
    role: "orchestrator",
    tasks: [{ goal: " one " }, { goal: "two", context: "own", toolsets: ["web"], role: "leaf" }],
  });
  assert.deepEqual(
    tasks.map(({ goal, message, toolsets, role, without }) => [
      goal,
      message,
      toolsets,
      role,
      without!.includes("delegate_task"),
    ]),
    [
      ["one", "one\n\nContext:\nshared", ["file"], "orchestrator", false],
      ["two", "two\n\nContext:\nown", ["web"], "leaf", true],
    ],
  );
  assert.equal(new Set(tasks.map(({ identity }) => identity)).size, 1);
});

test("a single task that cannot start fails the call; one of several is reported with the others", async () => {
  const refused = call(new ToolFailure("unavailable", "No room.", { hint: "Wait." }));
  await assert.rejects(refused.run({ goal: "g" }), /No room/);
  const { results } = await refused.run({ tasks: [{ goal: "a" }, { goal: "b" }] });
  assert.deepEqual(
    results.map((one) => [one["status"], one["error"]]),
    [
      ["error", "No room. Wait."],
      ["error", "No room. Wait."],
    ],
  );
});

test("if starting one task throws, the call still waits for the other subagents", async () => {
  const ends: string[] = [];
  const spawn = async ({ goal }: SubagentTask): Promise<SubagentResult> => {
    if (goal === "a") throw new TypeError("a bug");
    for (let turn = 0; turn < 20; turn++) await undefined;
    ends.push(goal);
    return {
      sessionId: "child",
      reason: "done",
      text: "said",
      model: "m",
      requests: 1,
      usage: NOTHING,
      durationMs: 1,
      calls: [],
    };
  };
  const context = {
    depth: 0,
    sessionId: "breaking",
    signal: new AbortController().signal,
    config: () => undefined,
    spawn,
  } as unknown as ToolContext;
  await assert.rejects(
    delegate({ tasks: [{ goal: "a" }, { goal: "b" }] }, context, (text) => text),
    /a bug/,
  );
  assert.deepEqual(ends, ["b"]);
});

test("starts nothing for a call without a goal or beyond the configured depth", async () => {
  const { tasks, run } = call({});
  for (const input of [{}, { goal: "  " }, { tasks: [{ goal: "" }] }]) await assert.rejects(run(input), /goal/);
  await assert.rejects(call({}, {}, 1).run({ goal: "g" }), /delegation\.max_spawn_depth is 1/);
  assert.deepEqual(tasks, []);
});

test("a time limit is at least 30 seconds, and 0 means no limit", () => {
  const timeout = (seconds: number) =>
    limitsOf((path) => (path === "delegation.child_timeout_seconds" ? seconds : undefined)).timeoutMs;
  assert.deepEqual([timeout(0), timeout(5), timeout(90)], [undefined, 30_000, 90_000]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { SubagentResult, SubagentTask } from "../../contract/conversation/subagent.ts";
import { defineTool, type AnyTool, type ToolContext } from "../../contract/tools/tool.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { scriptedPrompter, testSession } from "../../testing/test-session.ts";

const TASK: SubagentTask = { goal: "g", message: "do it", identity: "You are a subagent.", role: "leaf" };

/** A parent whose one tool spawns `task`, and the child it gets. */
async function family(task: Partial<SubagentTask>, work: (call: ToolContext) => Promise<unknown>, risky = false) {
  let result: SubagentResult | undefined;
  const works: AnyTool = defineTool({
    name: "works",
    toolset: "x",
    description: "Works.",
    effect: "execute",
    input: { type: "object", properties: {} },
    risk: risky ? () => ({ answer: "ask" as const, key: "k", reasons: [], effects: [] }) : undefined,
    execute: (_, call) => work(call),
  });
  const hands: AnyTool = defineTool({
    name: "hands",
    toolset: "x",
    description: "Hands on.",
    effect: "execute",
    input: { type: "object", properties: {} },
    execute: async (_, call) => ((result = await call.spawn({ ...TASK, ...task })), "ok"),
  });
  const prompter = scriptedPrompter([{ kind: "approved", scope: "once" }]);
  const clock = fakeClock();
  const slow = {
    ask: async (...asked: Parameters<typeof prompter.ask>) => (await clock.advance(600_000), prompter.ask(...asked)),
  };
  const child = await testSession({
    sessionId: "child",
    model: scriptedModel([{ calls: [{ tool: "works", args: {} }] }, { text: "worked" }]),
    tools: [works],
    prompter: slow,
  });
  const parent = await testSession({
    clock,
    model: scriptedModel([{ calls: [{ tool: "hands", args: {} }] }, { text: "done" }]),
    tools: [hands],
    ports: { openChild: async () => child.session },
  });
  return { parent, child, clock, result: () => result! };
}

const waits = (call: ToolContext) =>
  new Promise((_, reject) => call.signal.addEventListener("abort", () => reject(call.signal.reason), { once: true }));

test("a subagent that exceeds its time is stopped, and its parent continues", async () => {
  const { parent, child, clock, result } = await family(
    { timeoutMs: 40_000 },
    async (call) => (void clock.advance(60_000), waits(call)),
  );
  const received: string[] = [];
  parent.hooks.add("subagent_stop", ({ child_status }) => void received.push(child_status), "p");
  assert.equal((await parent.session.send("go")).reason, "done");
  assert.deepEqual(
    [
      result().reason,
      received,
      parent.facts().flatMap((fact) => (fact.type === "subagent.ended" ? [fact.reason] : [])),
    ],
    ["timeout", ["timeout"], ["timeout"]],
  );
  const last = child.facts().at(-1)!;
  assert.deepEqual(last.type === "turn.ended" && [last.reason, last.detail], ["cancelled", "Its 40 s are over."]);
});

test("the user's thinking time does not count for the subagent whose call asks", async () => {
  const { parent, result } = await family({ timeoutMs: 60_000 }, async () => "quick", true);
  await parent.session.send("go");
  assert.deepEqual(
    [result().reason, result().text, result().calls.map(({ tool, ok }) => [tool, ok])],
    ["done", "worked", [["works", true]]],
  );
});

test("a call in a session without subagents fails with that message", async () => {
  const hands: AnyTool = defineTool({
    name: "hands",
    toolset: "x",
    description: "Hands on.",
    effect: "none",
    input: { type: "object", properties: {} },
    execute: (_, call) => call.spawn(TASK),
  });
  const { session, facts } = await testSession({
    model: scriptedModel([{ calls: [{ tool: "hands", args: {} }] }, { text: "done" }]),
    tools: [hands],
  });
  await session.send("go");
  assert.match(JSON.stringify(facts().find(({ type }) => type === "tool.settled")), /Subagents are not available here/);
});

test("a question from a subagent's tool names the subagent, and the tool knows its depth", async () => {
  const asked: string[] = [];
  const { add, call, session } = callFixture({
    prompter: async (question) => (question.kind === "text" && asked.push(question.text), { kind: "text", text: "me" }),
  });
  add({
    name: "asks",
    execute: async (_: unknown, context: ToolContext) => [
      await context.ask({ kind: "text", text: "Who?" }),
      context.depth,
    ],
  });
  await call("asks");
  Object.assign(session, { subagent: { goal: "tidy", depth: 2 } });
  const outcome = await call("asks");
  assert.deepEqual(
    [asked, outcome.kind === "ok" && outcome.value],
    [
      ["Who?", "[Subagent: tidy] Who?"],
      [{ kind: "text", text: "me" }, 2],
    ],
  );
});

test("a subagent is closed even if its parent cannot store its start or end", async () => {
  for (const lost of ["subagent.started", "subagent.ended"]) {
    const { add, call, session } = callFixture();
    const child = await testSession({ sessionId: "child", model: scriptedModel([{ text: "worked" }]) });
    Object.assign(session, {
      openChild: async () => child.session,
      record: async ([fact]: readonly { readonly type: string }[]) => {
        if (fact?.type === lost) throw new Error("no space left on device");
      },
    });
    add({ name: "hands", execute: (_: unknown, context: ToolContext) => context.spawn(TASK) });
    const outcome = await call("hands");
    assert.match(outcome.kind === "failed" ? outcome.message : "", /no space left/, lost);
    await assert.rejects(child.session.send("more"), /is closed/, lost);
  }
});

test("stops a subagent whose calling tool failed without waiting for it", async () => {
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const works: AnyTool = defineTool({
    name: "works",
    toolset: "x",
    description: "Works.",
    effect: "execute",
    input: { type: "object", properties: {} },
    execute: (_, call) => (begins(), waits(call)),
  });
  const child = await testSession({
    sessionId: "child",
    model: scriptedModel([{ calls: [{ tool: "works", args: {} }] }, { text: "worked" }]),
    tools: [works],
  });
  const { add, call, session } = callFixture();
  Object.assign(session, { openChild: async () => child.session });
  let spawned: Promise<SubagentResult> | undefined;
  add({
    name: "hands",
    execute: async (_: unknown, context: ToolContext) => {
      spawned = context.spawn(TASK);
      await begun;
      throw new ToolFailure("bad_arguments", "The second piece makes no sense.");
    },
  });
  const outcome = await call("hands");
  assert.equal(outcome.kind === "failed" && outcome.message, "The second piece makes no sense.");
  assert.equal((await spawned!).reason, "cancelled");
  const last = child.facts().at(-1)!;
  assert.deepEqual(last.type === "turn.ended" && [last.reason, last.detail], [
    "cancelled",
    "The call that started it has ended.",
  ]);
});

test("observers of the first session receive the events of nested subagents", async () => {
  const spawns: AnyTool = defineTool({
    name: "hands",
    toolset: "x",
    description: "Hands on.",
    effect: "execute",
    input: { type: "object", properties: {} },
    execute: async (_, call) => (await call.spawn({ ...TASK, goal: `from ${call.sessionId}` }), "ok"),
  });
  const session = (sessionId: string, child?: Awaited<ReturnType<typeof testSession>>) =>
    testSession({
      sessionId,
      model: scriptedModel(
        child === undefined ? [{ text: "worked" }] : [{ calls: [{ tool: "hands", args: {} }] }, { text: "done" }],
      ),
      tools: [spawns],
      ports: child === undefined ? undefined : { openChild: async () => child.session },
    });
  const first = await session("first", await session("second", await session("third")));
  const seen: string[] = [];
  first.session.subscribe((event) => {
    if (event.kind !== "live" || event.live.type !== "subagent.progress" || event.live.nested === undefined) return;
    const { sessionId, text, nested } = event.live;
    seen.push([nested.parentId, sessionId, nested.goal ?? "", text, nested.ended?.reason ?? ""].join("|"));
  });
  await first.session.send("go");
  assert.deepEqual(seen, ["second|third|from second||", "second|third||thinking|", "second|third|||done"]);
});

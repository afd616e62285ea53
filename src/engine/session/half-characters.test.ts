import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../contract/conversation/fact.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import { defineTool } from "../../contract/tools/tool.ts";
import { memoryStore } from "../../testing/memory-store.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { testSession } from "../../testing/test-session.ts";

const HALF = "\ud99c";
/** In JSON, a half is an escape; in the JSON of a text that is JSON, that escape is escaped. */
const HALVES = /\\ud99c/i;

function isWhole(value: unknown): boolean {
  return !HALVES.test(JSON.stringify(value));
}

const read = defineTool({
  name: "read",
  toolset: "test",
  description: "Reads.",
  effect: "read",
  input: { type: "object", properties: { path: { type: "string" } } },
  execute: async ({ path = "" }, call) => {
    await call.state<string>({ key: "last", initial: "" }).set(`${path}${HALF}`);
    if (path.startsWith("missing")) throw new ToolFailure("not_found", `There is no ${path}${HALF}.`);
    assert.ok(path.isWellFormed());
    return { content: `cut here ${HALF}`, [`key ${HALF}`]: path };
  },
});

// field: M01
test("half a character from a model, a tool, a failure, a hook or the user is stored and sent as U+FFFD", async () => {
  const model = scriptedModel([
    {
      text: `I look ${HALF}`,
      calls: [
        { tool: "read", args: String.raw`{"path":"a\ud99c.txt"}` },
        { tool: "read", args: `{"path":"raw${HALF}"}` },
        { tool: "read", args: String.raw`{"path":"missing \udc9c"}` },
        { tool: `read${HALF}`, args: {} },
      ],
    },
    { text: `Done ${HALF}` },
    { text: "Again." },
  ]);
  await using bench = await testSession({ model, tools: [read] });
  bench.hooks.add("transform_tool_result", ({ value }) => `${value}${HALF}`, "test");
  bench.hooks.add("pre_llm_call", () => `context ${HALF}`, "test");
  assert.equal((await bench.session.send(`look ${HALF}`)).text, "Done \ufffd");
  await bench.session.send("more");
  for (const request of model.requests) assert.ok(isWhole(request), JSON.stringify(request.messages));
  for (const fact of bench.facts()) assert.ok(isWhole(fact), JSON.stringify(fact));
  assert.match(JSON.stringify(model.requests[1]!.messages), /cut here \ufffd/);
  assert.match(JSON.stringify(model.requests[0]!.messages), /look \ufffd[^]*context \ufffd/);
});

// field: M01
test("resumes a session in which an earlier version stored half characters", async () => {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  const facts: readonly Fact[] = [
    { type: "session.started", surface: "cli", cwd: "/work" },
    { type: "turn.started", turnId: "t1" },
    { type: "message.added", turnId: "t1", origin: "person", parts: [{ type: "text", text: `old ${HALF}` }] },
    { type: "model.asked", turnId: "t1", requestId: "r1", model: "m", prefixHash: "", attempt: 1 },
    {
      type: "model.answered",
      turnId: "t1",
      requestId: "r1",
      parts: [{ type: "tool-call", callId: "c1", tool: "read", args: String.raw`{"path":"\ud99c"}` }],
      finish: "tool-calls",
      usage,
    },
    {
      type: "tool.settled",
      callId: "c1",
      outcome: { kind: "ok", shown: [{ type: "text", text: `result ${HALF}` }] },
      durationMs: 1,
    },
    { type: "turn.ended", turnId: "t1", reason: "failed", detail: "400" },
  ];
  const store = memoryStore({
    facts: { session_1: facts.map((fact, at): Recorded => ({ seq: at + 1, at, v: 1, fact })) },
  });
  const model = scriptedModel([{ text: "It works again." }]);
  await using bench = await testSession({ model, tools: [read], store });
  assert.equal((await bench.session.send("go on")).text, "It works again.");
  assert.ok(isWhole(model.requests[0]), JSON.stringify(model.requests[0]!.messages));
  assert.match(JSON.stringify(model.requests[0]!.messages), /old \ufffd[^]*result \ufffd/);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, type AnyTool } from "../../contract/tools/tool.ts";
import { scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";

const LOOK = defineTool({
  name: "look",
  toolset: "test",
  description: "Looks.",
  effect: "read",
  input: { type: "object", properties: { at: { type: "string" } } },
  execute: async ({ at }) => `seen ${at}`,
});
const PAGE = defineTool({
  name: "page",
  toolset: "test",
  description: "Reads a page.",
  effect: "read",
  input: { type: "object", properties: {} },
  provenance: () => ({ source: "https://a.example/" }),
  execute: async () => "words",
});

function change(done: string[]): AnyTool {
  return defineTool({
    name: "change",
    toolset: "test",
    description: "Changes.",
    effect: "write",
    input: { type: "object", properties: { to: { type: "string" } } },
    execute: async ({ to }) => ({ done: done.push(to ?? "") }),
  });
}

// req: R-66
test("a tool call written in an answer's text runs, and the next request contains it as a normal call", async () => {
  const done: string[] = [];
  const model = scriptedModel([
    {
      text: 'I do both.\n<tool_call>{"name":"look","arguments":{"at":"a"}}</tool_call>\n<tool_call>{"name":"change","arguments":{"to":"b"}}</tool_call>',
    },
    { text: '{"name":"look","arguments":{"at":"c"}}' },
    { text: "Done." },
  ]);
  await using agent = await testSession({ model, tools: [LOOK, change(done)] });
  const end = await agent.session.send("go");
  assert.equal(
    agent.events
      .flatMap((event) => (event.kind === "live" && event.live.type === "text.delta" ? [event.live.text] : []))
      .join(""),
    'I do both.\n{"name":"look","arguments":{"at":"c"}}Done.',
  );
  assert.deepEqual([end.text, end.reason, end.toolCalls, done], ["Done.", "done", 3, ["b"]]);
  assert.deepEqual(model.requests[1]!.messages.slice(1), [
    {
      role: "assistant",
      parts: [
        { type: "text", text: "I do both." },
        { type: "tool-call", callId: "call_1", tool: "look", args: '{"at":"a"}' },
        { type: "tool-call", callId: "call_2", tool: "change", args: '{"to":"b"}' },
      ],
    },
    {
      role: "tool",
      results: [
        { callId: "call_1", tool: "look", parts: [{ type: "text", text: '"seen a"' }], failed: false },
        { callId: "call_2", tool: "change", parts: [{ type: "text", text: '{"done":1}' }], failed: false },
      ],
    },
  ]);
});

// req: R-66
test("does not run bare JSON that would change something; asks the model once, and accepts a repetition as its answer", async () => {
  const done: string[] = [];
  const text = '{"name":"change","arguments":{"to":"b"}}';
  const model = scriptedModel([{ text }, { text }]);
  await using agent = await testSession({ model, tools: [change(done)] });
  const end = await agent.session.send("show me such a call");
  assert.deepEqual([end.text, end.requests, done], [text, 2, []]);
  assert.match(
    JSON.stringify(model.requests[1]!.messages.at(-1)),
    /contains a call of change in its text, and nothing was run/,
  );
});

test("with untrusted content in the conversation, calls in plain text run nothing that changes anything", async () => {
  const done: string[] = [];
  const model = scriptedModel([
    { calls: [{ tool: "page" }] },
    { text: '<tool_call>{"name":"change","arguments":{"to":"evil"}}</tool_call>' },
    { text: '<tool_call>{"name":"look","arguments":{"at":"a"}}</tool_call>' },
    { text: "Done." },
  ]);
  await using agent = await testSession({ model, tools: [PAGE, LOOK, change(done)] });
  const end = await agent.session.send("go");
  assert.deepEqual([end.text, end.toolCalls, done], ["Done.", 2, []]);
});

test("leaves calls in text alone if the answer was cut off, has real calls or may make none", async () => {
  const done: string[] = [];
  const call = '<tool_call>{"name":"change","arguments":{"to":"b"}}</tool_call>';
  const model = scriptedModel([
    { text: call, calls: [{ tool: "look", args: { at: "a" } }] },
    { text: call, finish: "length" },
    { text: call },
  ]);
  await using agent = await testSession({ model, tools: [LOOK, change(done)], config: { maxRequests: 2 } });
  await agent.session.send("go");
  assert.deepEqual(done, []);
});

// field: M13
test("reports an unreadable marked call to the model and asks again, at most twice", async () => {
  const broken = '<tool_call>{"name":"look","arguments":{"at":"a"';
  const model = scriptedModel([{ text: broken }, { calls: [{ tool: "look", args: { at: "a" } }] }, { text: "Done." }]);
  await using agent = await testSession({ model, tools: [LOOK] });
  const end = await agent.session.send("go");
  assert.deepEqual([end.text, end.requests, end.toolCalls], ["Done.", 3, 1]);
  assert.match(
    JSON.stringify(model.requests[1]!.messages.at(-1)),
    /a call of look in its text that cannot be read \(its JSON is not valid: .*\), and nothing was run/,
  );
  const stubborn = scriptedModel(() => ({ text: broken }));
  await using other = await testSession({ model: stubborn, tools: [LOOK] });
  const last = await other.session.send("go");
  assert.deepEqual([last.text, last.requests], [broken, 3]);
});

// field: M14
test("runs a call in a guessed format only if the tool just reads; otherwise asks the model for a proper call", async () => {
  const done: string[] = [];
  const model = scriptedModel([
    { text: '[look(at="a")]' },
    { text: '[change(to="b")]' },
    { text: "<tool_call>change\n<arg_key>to</arg_key>\n<arg_value>c</arg_value>\n</tool_call>" },
    { text: "Done." },
  ]);
  await using agent = await testSession({ model, tools: [LOOK, change(done)] });
  const end = await agent.session.send("go");
  assert.deepEqual([end.text, end.toolCalls, done], ["Done.", 2, ["c"]]);
  assert.match(JSON.stringify(model.requests[2]!.messages.at(-1)), /contains a call of change in its text/);
});

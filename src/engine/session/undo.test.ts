import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { UserError } from "../../contract/common/failure.ts";
import { defineTool } from "../../contract/tools/tool.ts";
import { scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";
import { lastExchanges } from "./undo.ts";

const WRITE = defineTool({
  name: "save",
  toolset: "test",
  description: "Saves.",
  effect: "write",
  input: { type: "object", properties: { path: { type: "string" } } },
  assess: ({ path }) => ({ touches: [path ?? ""], egress: [] }),
  execute: async () => ({ saved: true }),
});
const RUN = defineTool({
  name: "run",
  toolset: "test",
  description: "Runs.",
  effect: "execute",
  input: { type: "object", properties: { command: { type: "string" } } },
  execute: async () => ({ exit_code: 0 }),
});

function userTexts(view: { readonly entries: readonly { readonly kind: string }[] }): readonly string[] {
  return view.entries.flatMap((entry) => ("text" in entry && entry.kind === "user" ? [String(entry.text)] : []));
}

// field: C12
test("undo removes the last exchange: the next request repeats the earlier one, and the calls' effects are listed", async () => {
  const model = scriptedModel([
    { text: "first" },
    {
      calls: [
        { tool: "save", args: { path: "a.txt" } },
        { tool: "run", args: { command: "npm  test" } },
      ],
    },
    { text: "second" },
    { text: "third" },
  ]);
  await using agent = await testSession({ model, tools: [WRITE, RUN], yolo: true });
  await agent.session.send("one");
  await agent.session.send("two");
  await agent.session.send("from a process", { origin: "process" });
  const undone = await agent.session.undo();
  assert.deepEqual(undone, {
    exchanges: 1,
    parts: [{ type: "text", text: "two" }],
    files: ["a.txt"],
    calls: ["run npm test"],
    again: undefined,
  });
  assert.deepEqual(userTexts(agent.session.view()), ["one"]);
  await agent.session.send("three");
  const [, before] = model.requests;
  const after = model.requests.at(-1)!;
  const shared = before!.messages.length - 1;
  assert.equal(JSON.stringify(after.messages.slice(0, shared)), JSON.stringify(before!.messages.slice(0, shared)));
  assert.equal(after.messages.length, before!.messages.length);
  assert.match(JSON.stringify(after.messages.at(-1)), /three/);
  assert.equal(JSON.stringify([after.system, after.tools]), JSON.stringify([before!.system, before!.tools]));
  // What happened stays in the facts.
  assert.ok(agent.facts().some((fact) => fact.type === "message.added" && textOf(fact.parts) === "two"));
});

test("undoes as many exchanges as exist, each only once", async () => {
  await using agent = await testSession({ model: scriptedModel([{ text: "1" }, { text: "2" }, { text: "3" }]) });
  assert.equal(await agent.session.undo(), undefined);
  for (const text of ["one", "two", "three"]) await agent.session.send(text);
  assert.equal((await agent.session.undo({ exchanges: 2 }))?.exchanges, 2);
  assert.deepEqual(userTexts(agent.session.view()), ["one"]);
  assert.equal((await agent.session.undo({ exchanges: 5 }))?.exchanges, 1);
  assert.equal(await agent.session.undo(), undefined);
});

// field: C12
test("stores a resent message together with the undo, so that a new process answers it", async () => {
  const model = scriptedModel([{ text: "bad" }, { text: "good" }]);
  await using agent = await testSession({ model });
  await agent.session.send("one");
  const undone = await agent.session.undo({ again: { inputId: "mine" } });
  assert.equal((await undone?.again)?.text, "good");
  const types = agent.facts().map(({ type }) => type);
  const cut = types.indexOf("turns.undone");
  assert.deepEqual(types.slice(cut, cut + 3), ["turns.undone", "input.queued", "turn.started"]);
  assert.deepEqual(userTexts(agent.session.view()), ["one"]);
  assert.ok(agent.facts().some((fact) => fact.type === "message.added" && fact.inputId === "mine"));
});

test("undo during a turn or a summary is refused and changes nothing", async () => {
  const opened = Promise.withResolvers<void>();
  const running = Promise.withResolvers<void>();
  const wait = defineTool({
    name: "wait",
    toolset: "test",
    description: "Waits.",
    effect: "execute",
    input: { type: "object" },
    execute: async () => (running.resolve(), await opened.promise, {}),
  });
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "done" }]);
  await using agent = await testSession({ model, tools: [wait], yolo: true });
  const turn = agent.session.send("one");
  await running.promise;
  await assert.rejects(agent.session.undo(), /while a turn is running/);
  opened.resolve();
  await turn;
  const facts = [...agent.recorded()];
  const summary: Fact = { type: "context.compacted", summary: "s", keepFrom: 99 };
  assert.throws(() => lastExchanges([...facts, { seq: 99, at: 0, v: 1, fact: summary }], 1), UserError);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, textOf, type AnyTool } from "../../plugin.ts";
import { memoryStore, realClock, scriptedModel, testSession, type ScriptedAnswer } from "../../testing/index.ts";

const telling = (name: string, whileAway: NonNullable<AnyTool["whileAway"]>): AnyTool =>
  defineTool({
    name,
    toolset: "test",
    description: "",
    input: { type: "object", properties: {} },
    effect: "none",
    execute: async () => ({}),
    whileAway,
  });

test("a reopened session receives once what its tools report about its absence; a failing tool is skipped", async () => {
  const store = memoryStore({ clock: realClock() });
  let asked = 0;
  const tools = [
    telling("broken", () => {
      throw new Error("no");
    }),
    telling("tells", ({ sessionId }) => {
      asked += 1;
      return [{ text: `for ${sessionId}`, foreign: { source: "a page" } }];
    }),
  ];
  const run = async (words: readonly string[], answers: readonly ScriptedAnswer[], at: number) => {
    await using opened = await testSession({
      model: scriptedModel(answers),
      tools,
      store,
      ids: (kind) => `${kind}_${at}_${Math.random()}`,
    });
    for (const word of words) await opened.session.send(word);
    return { facts: opened.facts(), log: opened.log };
  };
  await run(["one", "two"], [{ text: "1" }, { text: "2" }], 1);
  assert.equal(asked, 0, "a new session has no earlier activity");
  const { facts, log } = await run(["three", "four"], [{ text: "3" }, { text: "4" }], 2);
  assert.equal(asked, 1);
  const output = facts.flatMap((fact) => (fact.type === "message.added" ? [[fact.origin, textOf(fact.parts)]] : []));
  assert.deepEqual(output, [
    ["person", "one"],
    ["person", "two"],
    ["person", "three"],
    ["process", "for session_1"],
    ["person", "four"],
  ]);
  const [part] = facts.flatMap((fact) =>
    fact.type === "message.added" && fact.origin === "process" ? fact.parts : [],
  );
  assert.deepEqual(part?.type === "text" && part.from, {
    source: "a page",
    trust: "foreign",
    owner: "test",
    tool: "tells",
  });
  assert.match(log.lines.map(({ message }) => message).join("\n"), /The tool "broken" could not report/);
});

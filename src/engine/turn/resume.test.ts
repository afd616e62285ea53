import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Recorded } from "../../contract/conversation/fact.ts";
import type { Message } from "../../contract/providers/model.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { defineTool, type AnyTool } from "../../contract/tools/tool.ts";
import { memoryStore, scriptedModel, type MemoryStore, type ScriptedAnswer } from "../../testing/index.ts";
import { scriptedPrompter, testSession, type TestSession } from "../../testing/test-session.ts";

/** The world outside, which no crash takes back. */
class World {
  readonly writes: string[] = [];
  readonly reads: string[] = [];
  readonly tools: readonly AnyTool[];

  constructor() {
    const input = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
    this.tools = [
      defineTool({
        name: "look",
        toolset: "test",
        description: "Reads.",
        effect: "read",
        input,
        execute: async ({ name }) => (this.reads.push(name), { read: name }),
      }),
      defineTool({
        name: "make",
        toolset: "test",
        description: "Writes.",
        effect: "write",
        input,
        execute: async ({ name }) => (this.writes.push(name), { made: name }),
      }),
      defineTool({
        name: "risky",
        toolset: "test",
        description: "Asks.",
        effect: "execute",
        input,
        risk: () => ({ answer: "ask", key: "a risk", reasons: ["It is risky."], effects: [] }),
        execute: async ({ name }) => (this.writes.push(name), { ran: name }),
      }),
      defineTool({
        name: "again",
        toolset: "test",
        description: "May be repeated.",
        effect: "write",
        idempotent: true,
        input: { ...input, properties: { ...input.properties, path: { type: "string" } } },
        execute: async ({ name }) => ({ set: name }),
      }),
    ];
  }
}

/**
 * The model's next answer, computed from the conversation it is sent, so that the number of requests does not matter.
 */
function plan(messages: readonly Message[]): ScriptedAnswer {
  const results = messages.filter((message) => message.role === "tool").length;
  const id = (n: number) => `c_${results}_${n}`;
  if (results === 0)
    return {
      text: "First I look.",
      calls: [
        { tool: "look", args: { name: "a" }, callId: id(1) },
        { tool: "look", args: { name: "b" }, callId: id(2) },
      ],
    };
  if (results === 1)
    return {
      calls: [
        { tool: "make", args: { name: "w1" }, callId: id(1) },
        { tool: "make", args: { name: "w1" }, callId: id(4) },
        { tool: "look", args: { name: "c" }, callId: id(2) },
        { tool: "make", args: { name: "w2" }, callId: id(3) },
      ],
    };
  if (results === 2)
    return {
      calls: [
        { tool: "risky", args: { name: "r1" }, callId: id(1) },
        { tool: "again", args: { name: "i1", path: "i1.ts" }, callId: id(2) },
      ],
    };
  return { text: "All done." };
}

const YES = { kind: "approved", scope: "once" } as const;

async function open(
  facts: readonly Recorded[],
  world: World,
  slow = false,
): Promise<{ agent: TestSession; model: ReturnType<typeof scriptedModel> }> {
  const model = scriptedModel((request) => plan(request.messages));
  let count = facts.length;
  const memory = memoryStore({ facts: { session_1: facts } });
  const append: MemoryStore["append"] = async (...given) => (await setImmediate(), memory.append(...given));
  const store: MemoryStore = slow ? Object.create(memory, { append: { value: append } }) : memory;
  const agent = await testSession({
    model,
    tools: world.tools,
    store,
    prompter: scriptedPrompter(Array.from({ length: 10 }, () => YES)),
    ids: (kind) => `${kind}_${++count}_${facts.length}`,
  });
  return { agent, model };
}

function validPairs(messages: readonly Message[]): void {
  messages.forEach((message, at) => {
    if (message.role !== "assistant") return;
    const calls = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []));
    const after = messages[at + 1];
    assert.deepEqual(after?.role === "tool" ? after.results.map((result) => result.callId) : [], calls);
  });
}

// req
// rows 2 to 8, 10 and 13 of the fault matrix
test("a session stopped after any stored fact resumes: it loses no acknowledged message, repeats no side effect and sends valid requests", async () => {
  const whole = new World();
  const { agent: first } = await open([], whole);
  await first.session.send("Do the work.");
  const log = first.recorded();
  await first[Symbol.asyncDispose]();
  assert.deepEqual(
    [whole.writes, whole.reads],
    [
      ["w1", "w2", "r1"],
      ["a", "b", "c"],
    ],
  );

  for (let cut = 1; cut < log.length; cut++) {
    // A side effect has happened when its start was stored: the worst case for running it twice.
    const world = new World();
    const saved = log.slice(0, cut);
    for (const { fact } of saved) {
      if (fact.type !== "tool.started") continue;
      const called = saved.find((one) => one.fact.type === "tool.called" && one.fact.callId === fact.callId)!.fact;
      if (called.type === "tool.called" && (called.tool === "make" || called.tool === "risky"))
        world.writes.push(String(called.args!["name"]));
    }
    const { agent, model } = await open(saved, world);
    const lines = agent.session.interrupted();
    const end = await agent.session.resume();
    const begun = saved.some(({ fact }) => fact.type === "turn.started");
    assert.equal(lines.length > 0, begun, `cut ${cut}: ${JSON.stringify(lines)}`);
    if (!begun) {
      assert.equal(end, undefined);
      await agent[Symbol.asyncDispose]();
      continue;
    }
    const where = `cut after fact ${cut} (${log[cut - 1]!.fact.type})`;
    const acknowledged = saved.some(({ fact }) => fact.type === "message.added");
    if (!acknowledged) {
      assert.deepEqual([end?.reason, model.requests.length], ["cancelled", 0], where);
      await agent[Symbol.asyncDispose]();
      continue;
    }
    assert.equal(end?.reason, "done", where);
    assert.equal(end?.text, "All done.", where);
    assert.deepEqual(
      world.writes.toSorted(),
      [...new Set(world.writes)].toSorted(),
      `${where}: an effect happened twice`,
    );
    assert.deepEqual(world.writes.toSorted(), ["r1", "w1", "w2"], where);
    for (const request of model.requests) {
      validPairs(request.messages);
      assert.ok(JSON.stringify(request.messages).includes("Do the work."), where);
    }
    assert.deepEqual(agent.recorded().slice(0, cut), saved, `${where}: stored facts do not change`);
    const answers = (facts: readonly Recorded[]) =>
      facts.flatMap(({ fact }) => (fact.type === "model.answered" ? [JSON.stringify(fact.parts)] : []));
    assert.equal(
      new Set(answers(agent.recorded())).size,
      answers(agent.recorded()).length,
      `${where}: the model was asked again for a stored answer`,
    );
    assert.equal(await agent.session.resume(), undefined, where);
    await agent[Symbol.asyncDispose]();
  }
});

function upTo(log: readonly Recorded[], type: string, nth: number): readonly Recorded[] {
  let seen = 0;
  return log.slice(0, log.findIndex(({ fact }) => fact.type === type && ++seen === nth) + 1);
}

test("lists for the user what a resume would do", async () => {
  const { agent } = await open([], new World());
  await agent.session.send("Do the work.");
  const log = agent.recorded();
  await agent[Symbol.asyncDispose]();
  const lines = async (facts: readonly Recorded[]) => {
    const { agent: cut } = await open(facts, new World());
    const found = cut.session.interrupted();
    await cut[Symbol.asyncDispose]();
    return found;
  };
  assert.deepEqual(await lines(log), []);
  assert.deepEqual(await lines(upTo(log, "model.asked", 1)), [
    "The model was asked and had not answered; it is asked again.",
  ]);
  assert.deepEqual(await lines(upTo(log, "model.answered", 2)), [
    'make {"name":"w1"} had not started; it is run.',
    'look {"name":"c"} had not started; it is run.',
    'make {"name":"w2"} had not started; it is run.',
  ]);
  assert.deepEqual(
    (await lines(upTo(log, "tool.started", 3)))[0],
    'make {"name":"w1"} was interrupted. It may or may not have happened; it is not run again.',
  );
  assert.deepEqual(
    (await lines(upTo(log, "approval.asked", 1)))[0],
    'risky {"name":"r1"} waits for your approval (a risk); you are asked again.',
  );
});

// req: R-12
test("after a cut at any fact, observers of the resumed turn receive only stored messages", async () => {
  const { agent } = await open([], new World());
  await agent.session.send("Do the work.");
  const log = agent.recorded();
  await agent[Symbol.asyncDispose]();
  let received = 0;
  for (let cut = upTo(log, "message.added", 1).length; cut < log.length; cut++) {
    const { agent: next } = await open(log.slice(0, cut), new World(), true);
    const early: string[] = [];
    const check = (what: string, words: string) => {
      received++;
      const stored = JSON.stringify(next.facts());
      for (const [result] of words.matchAll(/\{"(?:read|made|ran|set)":"\w+"\}|All done\./g))
        if (!stored.includes(JSON.stringify(result).slice(1, -1))) early.push(`${what}: ${result}`);
    };
    next.hooks.add(
      "pre_llm_call",
      ({ conversation_history }) =>
        check(
          "pre_llm_call",
          conversation_history
            .flatMap((message) => (message.role === "tool" ? message.results.map(({ parts }) => textOf(parts)) : []))
            .join(" "),
        ),
      "test",
    );
    next.hooks.add("pre_verify", ({ final_response }) => check("pre_verify", final_response), "test");
    assert.equal((await next.session.resume())?.reason, "done");
    assert.deepEqual(early, [], `cut after fact ${cut} (${log[cut - 1]!.fact.type})`);
    await next[Symbol.asyncDispose]();
  }
  assert.ok(received > log.length / 2);
});

test("an interrupted call with an effect is shown to the model as unknown", async () => {
  const { agent } = await open([], new World());
  await agent.session.send("Do the work.");
  const cut = upTo(agent.recorded(), "tool.started", 3);
  await agent[Symbol.asyncDispose]();
  const { agent: next, model } = await open(cut, new World());
  await next.session.resume();
  const results = model.requests[0]!.messages.at(-1)!;
  assert.ok(results.role === "tool");
  assert.match(JSON.stringify(results.results[0]), /Interrupted, outcome unknown: the process ended while it ran/);
  await next[Symbol.asyncDispose]();
});

test("a new message on an interrupted session ends the old turn unfinished and loses nothing", async () => {
  const { agent } = await open([], new World());
  await agent.session.send("Do the work.");
  const cut = upTo(agent.recorded(), "tool.started", 3);
  await agent[Symbol.asyncDispose]();
  const world = new World();
  const { agent: next, model } = await open(cut, world);
  assert.equal((await next.session.send("Never mind, something else.")).reason, "done");
  validPairs(model.requests[0]!.messages);
  assert.match(JSON.stringify(model.requests[0]!.messages), /Do the work\..*Never mind/);
  assert.ok(!world.writes.includes("w1"));
  await next[Symbol.asyncDispose]();
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Message, ModelClient, ModelRequest } from "../../contract/providers/model.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { defineTool, type AnyTool } from "../../contract/tools/tool.ts";
import { fakeClock, memoryStore, scriptedModel, type MemoryStore, type Script } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const ECHO = defineTool({
  name: "echo",
  toolset: "test",
  description: "Gives back its text.",
  effect: "read",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: async ({ text }) => ({ text }),
});

function counter(runs: string[], effect: "read" | "write" = "write"): AnyTool {
  return defineTool({
    name: "count",
    toolset: "test",
    description: "Counts its runs.",
    effect,
    input: { type: "object", properties: { name: { type: "string" } } },
    execute: async ({ name }) => ({ run: runs.push(name ?? "") }),
  });
}

function types(facts: readonly Fact[]): readonly string[] {
  return facts.map((fact) => fact.type);
}

function results(request: ModelRequest | undefined): readonly string[] {
  const last = request?.messages.findLast(
    (message): message is Extract<Message, { role: "tool" }> => message.role === "tool",
  );
  return (
    last?.results.map(
      (result) =>
        `${result.callId}: ${result.parts.map((part) => (part.type === "text" ? part.text : "[image]")).join(" | ")}`,
    ) ?? []
  );
}

function lastUser(request: ModelRequest | undefined): string {
  return textOf(
    request?.messages.findLast((message): message is Extract<Message, { role: "user" }> => message.role === "user")
      ?.parts ?? [],
  );
}

// req: dispatch.agent-loop
test("a turn asks, runs the calls, asks again with the results and ends with the model's text", async () => {
  const model = scriptedModel([
    { text: "Looking.", calls: [{ tool: "echo", args: { text: "hi" } }] },
    { text: "It says hi." },
  ]);
  await using agent = await testSession({ model, tools: [ECHO] });
  const end = await agent.session.send("What does it say?");
  assert.deepEqual(withoutUndefined(end), {
    turnId: "turn_1",
    reason: "done",
    text: "It says hi.",
    usage: { inputTokens: 200, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    requests: 2,
    toolCalls: 1,
  });
  assert.deepEqual(types(agent.facts()), [
    "session.started",
    "turn.started",
    "message.added",
    "prefix.fixed",
    "model.asked",
    "model.answered",
    "tool.called",
    "tool.started",
    "tool.settled",
    "model.asked",
    "model.answered",
    "turn.ended",
  ]);
  assert.deepEqual(model.requests[1]!.messages, [
    {
      role: "user",
      parts: [
        { type: "text", text: "<environment>\nWorking directory: /work/project\nSurface: cli\n</environment>" },
        { type: "text", text: "What does it say?" },
      ],
    },
    {
      role: "assistant",
      parts: [
        { type: "text", text: "Looking." },
        { type: "tool-call", callId: "call_1_1", tool: "echo", args: '{"text":"hi"}' },
      ],
    },
    {
      role: "tool",
      results: [{ callId: "call_1_1", tool: "echo", parts: [{ type: "text", text: '{"text":"hi"}' }], failed: false }],
    },
  ]);
});

test("stores the message before asking, and a turn with one changing call takes four appends", async () => {
  const model = scriptedModel((_, number) => (number === 0 ? { calls: [{ tool: "count" }] } : { text: "done" }));
  const stored: number[] = [];
  await using agent = await testSession({ model, tools: [counter([])] });
  agent.session.subscribe((event) => event.kind === "fact" && stored.push(agent.store.appends));
  await agent.session.send("go");
  // The message; the request, its answer and the start of the call; the call's end; the second request, its answer and
  // the turn's end.
  assert.equal(agent.store.appends, 4);
  assert.equal(stored.length, agent.facts().length);
});

test("read-only calls share one append, stored within milliseconds and before their results are sent", async () => {
  const before: (readonly string[])[] = [];
  const wait = Promise.withResolvers<void>();
  const slow = defineTool({
    name: "slow",
    toolset: "test",
    description: "Waits.",
    effect: "read",
    input: { type: "object", properties: {} },
    execute: async () => (await wait.promise, null),
  });
  const model = scriptedModel((_, number) => {
    before.push(types(agent.facts()));
    return number === 0
      ? {
          calls: [
            { tool: "echo", args: { text: "a" } },
            { tool: "echo", args: { text: "b" } },
          ],
        }
      : number === 1
        ? { calls: [{ tool: "slow" }] }
        : { text: "done" };
  });
  await using agent = await testSession({ model, tools: [ECHO, slow] });
  const shown = new Promise<void>((resolve) =>
    agent.session.subscribe(
      (event) =>
        event.kind === "fact" &&
        event.recorded.fact.type === "tool.started" &&
        agent.facts().filter(({ type }) => type === "tool.started").length === 3 &&
        resolve(),
    ),
  );
  const turn = agent.session.send("go");
  await shown; // Nothing else is written while it waits.
  assert.equal(agent.store.appends, 3);
  wait.resolve();
  await turn;
  assert.deepEqual(before[1]!.slice(-8), [
    "model.answered",
    "tool.called",
    "tool.started",
    "tool.called",
    "tool.started",
    "tool.settled",
    "tool.settled",
    "model.asked",
  ]);
  assert.equal(agent.store.appends, 5);
});

/** A memory store whose appends wait until they are released, while it holds them. */
function slowStore() {
  const store = memoryStore();
  let waits: PromiseWithResolvers<void> | undefined;
  const slow: MemoryStore = Object.create(store, {
    append: {
      value: async (...args: Parameters<MemoryStore["append"]>) => {
        await waits?.promise;
        return store.append(...args);
      },
    },
  });
  return {
    store: slow,
    hold: () => void (waits = Promise.withResolvers()),
    letGo: () => waits?.resolve(),
    fail: (cause: Error) => waits?.reject(cause),
  };
}

test("prepares the next request while results are being stored, and sends it when they are", async () => {
  const { store, hold, letGo } = slowStore();
  const model = scriptedModel((_, number) =>
    number === 0 ? (hold(), { calls: [{ tool: "echo", args: { text: "a" } }] }) : { text: "done" },
  );
  await using agent = await testSession({ model, tools: [ECHO], store });
  using _ = { [Symbol.dispose]: letGo };
  const turn = agent.session.send("go");
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([model.requests.length, types(agent.facts()).includes("tool.settled")], [1, false]);
  letGo();
  assert.equal((await turn).reason, "done");
  assert.deepEqual(
    agent.recorded().map(({ seq }) => seq),
    agent.facts().map((_, index) => index + 1),
  );
  assert.deepEqual(types(agent.facts()).slice(-7), [
    "model.answered",
    "tool.called",
    "tool.started",
    "tool.settled",
    "model.asked",
    "model.answered",
    "turn.ended",
  ]);
});

test("a client can prepare the next request early, and sends nothing that could not be stored", async () => {
  const { store, hold, fail } = slowStore();
  const model = scriptedModel((_, number) =>
    number === 0 ? (hold(), { calls: [{ tool: "echo", args: { text: "a" } }] }) : { text: "done" },
  );
  const output: string[] = [];
  const client: ModelClient = {
    waits: true,
    async *stream({ store, ...request }, signal) {
      output.push(`ready with ${request.messages.length}`);
      try {
        await store?.();
      } catch {
        output.push("not stored");
        yield {
          type: "end",
          kind: "failure",
          failure: { code: "network", message: "It was not sent.", retryable: true },
        };
        return;
      }
      output.push("sent");
      yield* model.stream(request, signal);
    },
  };
  await using agent = await testSession({ model: client, tools: [ECHO], store });
  const turn = agent.session.send("go");
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(output, ["ready with 1", "sent", "ready with 3"]);
  fail(new Error("the disk is gone"));
  assert.equal((await turn).detail, "What happened could not be stored: the disk is gone");
  assert.deepEqual(output.slice(3), ["not stored"]);
});

test("stores an answer before middleware sees its calls", async () => {
  const model = scriptedModel([{ calls: [{ tool: "echo", args: { text: "a" } }] }, { text: "done" }]);
  await using agent = await testSession({ model, tools: [ECHO] });
  let stored: readonly string[] = [];
  agent.middlewares.add("tool_request", async (_, next) => ((stored = types(agent.facts())), next()), "test");
  await agent.session.send("go");
  assert.equal(stored.at(-1), "model.answered");
});

test("sends nothing to a model that could not be stored", async () => {
  const { store, hold, fail } = slowStore();
  const model = scriptedModel((_, number) =>
    number === 0 ? (hold(), { calls: [{ tool: "echo", args: { text: "a" } }] }) : { text: "done" },
  );
  await using agent = await testSession({ model, tools: [ECHO], store });
  const turn = agent.session.send("go");
  for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
  fail(new Error("the disk is gone"));
  assert.equal((await turn).detail, "What happened could not be stored: the disk is gone");
  assert.equal(model.requests.length, 1);
});

test("untrusted content from one call applies to the next call", async () => {
  const page = defineTool({
    name: "page",
    toolset: "test",
    description: "Reads a page.",
    effect: "read",
    input: { type: "object", properties: {} },
    provenance: () => ({ source: "https://a.example/" }),
    execute: async () => "words",
  });
  const send = defineTool({
    name: "post",
    toolset: "test",
    description: "Sends.",
    effect: "read",
    input: { type: "object", properties: {} },
    reach: () => [{ kind: "send", what: "b.example" }],
    execute: async () => "sent",
  });
  const outer = defineTool({
    name: "outer",
    toolset: "test",
    description: "Calls both.",
    effect: "read",
    input: { type: "object", properties: {} },
    execute: async (_, call) => ({
      kinds: [
        (await call.call("post", {})).kind,
        (await call.call("page", {})).kind,
        (await call.call("post", {})).kind,
      ],
    }),
  });
  const model = scriptedModel([{ calls: [{ tool: "outer" }] }, { text: "done" }]);
  await using agent = await testSession({ model, tools: [page, send, outer] });
  await agent.session.send("go");
  assert.match(results(model.requests[1])[0]!, /^call_1_1: <untrusted-text [^]*\n\{"kinds":\["ok","ok","denied"\]\}\n/);
  // Anything that it returns may come from the untrusted page.
  const settled = agent
    .facts()
    .flatMap((fact) =>
      fact.type === "tool.settled" && fact.callId === "call_1_1" && fact.outcome.kind === "ok"
        ? fact.outcome.shown
        : [],
    );
  assert.deepEqual(
    settled.map(({ from }) => from),
    [{ trust: "foreign", owner: "test", tool: "outer", source: "https://a.example/" }],
  );
});

test("a running tool can list the offered tools, and its timeout may depend on a setting", async () => {
  const look = defineTool({
    name: "look",
    toolset: "test",
    description: "Looks.",
    effect: "read",
    input: { type: "object", properties: {} },
    execute: async (_, call) => [...(await call.offered())].toSorted(),
  });
  const slow = defineTool({
    name: "slow",
    toolset: "test",
    description: "Never ends by itself.",
    effect: "read",
    input: { type: "object", properties: {} },
    timeoutMs: (call) => (call.sessionId === "session_1" ? 20 : 300_000),
    execute: (_, call) =>
      new Promise((_resolve, reject) =>
        call.signal.addEventListener("abort", () => reject(call.signal.reason as Error)),
      ),
  });
  const model = scriptedModel([{ calls: [{ tool: "look" }, { tool: "slow" }] }, { text: "done" }]);
  await using agent = await testSession({ model, tools: [look, slow] });
  await agent.session.send("go");
  // Outside a turn, the session computes the tools that a turn would offer.
  const early = await testSession({ model: scriptedModel([]), tools: [look, slow] });
  assert.deepEqual(await early.session.call("look", {}), {
    kind: "ok",
    value: ["look", "slow"],
    shown: [{ type: "text", text: '["look","slow"]' }],
  });
  await early[Symbol.asyncDispose]();
  const [looked, stopped] = results(model.requests[1]);
  assert.equal(looked, 'call_1_1: ["look","slow"]');
  assert.match(stopped!, /did not end within 0\.02 s/);
});

// req: hooks.system-prompt-stable
test("fifty turns start with the same bytes, and every request extends the previous one", async () => {
  const script: Script = (_, number) =>
    number % 2 === 0
      ? { text: `step ${number}`, calls: [{ tool: "echo", args: { text: String(number) } }] }
      : { text: `answer ${number}` };
  const model = scriptedModel(script);
  await using agent = await testSession({ model, tools: [ECHO, counter([])] });
  for (let turn = 0; turn < 50; turn++) await agent.session.send(`question ${turn}`);
  assert.equal(model.requests.length, 100);
  const prefixes = new Set(model.requests.map((request) => JSON.stringify([request.system, request.tools])));
  assert.equal(prefixes.size, 1);
  const bodies = model.requests.map((request) => JSON.stringify(request.messages).slice(0, -1));
  for (let at = 1; at < bodies.length; at++)
    assert.ok(bodies[at]!.startsWith(bodies[at - 1]!), `request ${at} rewrites what was sent before`);
});

// req: dispatch.concurrency
test("runs read-only calls in parallel, others alone in order, and returns results in call order", async () => {
  const log: string[] = [];
  const second = Promise.withResolvers<void>();
  const tool = (name: string, effect: "read" | "write") =>
    defineTool({
      name,
      toolset: "test",
      description: "The first waits for the end of the second.",
      effect,
      input: { type: "object", properties: { n: { type: "integer" } } },
      execute: async ({ n }) => {
        log.push(`${n} begins`);
        await (n === 1 ? second.promise : new Promise((resolve) => setTimeout(resolve, 10)));
        log.push(`${n} ends`);
        if (n === 2) second.resolve();
        return { n };
      },
    });
  const calls = [
    { tool: "look", args: { n: 1 } },
    { tool: "look", args: { n: 2 } },
    { tool: "change", args: { n: 3 } },
    { tool: "look", args: { n: 4 } },
  ];
  const model = scriptedModel([{ calls }, { text: "done" }]);
  await using agent = await testSession({ model, tools: [tool("look", "read"), tool("change", "write")] });
  await agent.session.send("go");
  assert.deepEqual(log, ["1 begins", "2 begins", "2 ends", "1 ends", "3 begins", "3 ends", "4 begins", "4 ends"]);
  assert.deepEqual(
    results(model.requests[1]),
    [1, 2, 3, 4].map((n) => `call_1_${n}: {"n":${n}}`),
  );
});

test("equal calls of one answer run once, and each gets the result", async () => {
  const runs: string[] = [];
  const model = scriptedModel([
    {
      calls: [
        { tool: "count", args: '{"name":"a"}' },
        { tool: "count", args: '{ "name": "a" }' },
        { tool: "count", args: { name: "b" } },
      ],
    },
    { text: "done" },
  ]);
  await using agent = await testSession({ model, tools: [counter(runs)] });
  await agent.session.send("go");
  assert.deepEqual(runs, ["a", "b"]);
  assert.deepEqual(results(model.requests[1]), ['call_1_1: {"run":1}', 'call_1_2: {"run":1}', 'call_1_3: {"run":2}']);
});

// row 29 of the fault matrix
test("runs sixty-four of two hundred tool calls in one answer, and gives every call a result", async () => {
  const runs: string[] = [];
  const model = scriptedModel([
    { calls: Array.from({ length: 200 }, (_, n) => ({ tool: "count", args: { name: String(n) }, callId: "again" })) },
    { text: "done" },
  ]);
  await using agent = await testSession({ model, tools: [counter(runs, "read")] });
  assert.equal((await agent.session.send("go")).reason, "done");
  assert.equal(runs.length, 64);
  const last = model.requests[1]!.messages.at(-1)!;
  assert.equal(
    last.role === "tool" ? new Set(last.results.map((result) => result.callId)).size : 0,
    200,
    "reused ids were made unique",
  );
  assert.match(results(model.requests[1])[199]!, /One answer may hold 64 calls and this one had 200/);
});

// row 29 of the fault matrix
test("a tool call without a name gets an error result, and the other calls of the answer run", async () => {
  const runs: string[] = [];
  const model = scriptedModel([
    {
      calls: [
        { tool: "", args: { name: "a" } },
        { tool: "count", args: { name: "b" } },
      ],
    },
    { text: "done" },
  ]);
  await using agent = await testSession({ model, tools: [counter(runs)] });
  assert.equal((await agent.session.send("go")).reason, "done");
  assert.deepEqual(runs, ["b"]);
  assert.match(results(model.requests[1])[0]!, /The call names no tool\./);
});

// row 27 of the fault matrix
test("runs no tool call of a truncated answer, not even a complete call", async () => {
  const runs: string[] = [];
  const model = scriptedModel([
    {
      calls: [
        { tool: "count", args: { name: "whole" } },
        { tool: "count", args: '{"name": "ha' },
      ],
      finish: "length",
    },
    { text: "I will be shorter." },
  ]);
  await using agent = await testSession({ model, tools: [counter(runs)] });
  assert.equal((await agent.session.send("go")).reason, "done");
  assert.deepEqual(runs, []);
  assert.match(results(model.requests[1])[0]!, /cut off before its calls were complete/);
});

// rows 28 and 29 of the fault matrix
test("three answers in a row whose tool calls are all invalid end the turn, and the session continues", async () => {
  const model = scriptedModel((_, number) =>
    number < 3
      ? {
          calls: [
            { tool: "no_such", args: { n: number } },
            { tool: "count", args: '{"name": ' },
          ],
        }
      : { text: "better" },
  );
  const runs: string[] = [];
  await using agent = await testSession({ model, tools: [counter(runs)] });
  const end = await agent.session.send("go");
  assert.equal(end.reason, "failed");
  assert.match(end.detail!, /cannot be run 3 times in a row/);
  assert.deepEqual(runs, []);
  assert.equal((await agent.session.send("again")).text, "better");
});

// row 31 of the fault matrix
// req: R-48
test("a model that repeats a tool call with the same result is warned, then refused, then stopped, and the user sees why", async () => {
  const runs: string[] = [];
  const stuck = defineTool({
    name: "stuck",
    toolset: "test",
    description: "Fails.",
    effect: "read",
    input: { type: "object" },
    execute: async () => (runs.push("run"), { same: true }),
  });
  const model = scriptedModel((request) =>
    request.toolChoice === "none" ? { text: "stop" } : { calls: [{ tool: "stuck", args: {} }] },
  );
  await using agent = await testSession({ model, tools: [stuck] });
  const end = await agent.session.send("go");
  assert.deepEqual([end.reason, runs.length, model.requests.length], ["failed", 3, 6]);
  assert.match(end.detail!, /loop/);
  // The remark stands inside the result, which stays JSON.
  const output = JSON.parse(results(model.requests[2])[0]!.replace(/^[^:]*: /, "")) as {
    readonly same: boolean;
    readonly remarks: readonly string[];
  };
  assert.deepEqual([output.same, output.remarks.length], [true, 1]);
  assert.match(output.remarks[0]!, /^\[Loop warning: "stuck" gave the same result for the same arguments 2 times/);
  assert.match(results(model.requests[4])[0]!, /same result 3 times; it was not run again/);
});

// req: R-48
test("repeats a call as often as needed while its results differ, including failures", async () => {
  let asked = 0;
  const poll = defineTool({
    name: "poll",
    toolset: "test",
    description: "Tells how far it is.",
    effect: "read",
    input: { type: "object" },
    execute: async () => {
      asked += 1;
      if (asked % 10 < 2) throw new ToolFailure("unreachable", `No answer after ${asked} s.`);
      return { percent: asked };
    },
  });
  const model = scriptedModel(() => (asked < 40 ? { calls: [{ tool: "poll", args: {} }] } : { text: "ready" }));
  await using agent = await testSession({ model, tools: [poll] });
  assert.deepEqual([(await agent.session.send("wait for it")).text, asked], ["ready", 40]);
  assert.equal(JSON.stringify(model.requests.at(-1)!.messages).includes("Loop warning"), false);
});

test("repeating the same check after a change is not a loop", async () => {
  const check = defineTool({
    name: "check",
    toolset: "test",
    description: "Fails the same way.",
    effect: "execute",
    input: { type: "object" },
    execute: async () => ({ failing: 1 }),
  });
  const model = scriptedModel((_, number) =>
    number >= 12
      ? { text: "fixed" }
      : number % 2 === 0
        ? { calls: [{ tool: "count", args: { name: `edit ${number}` } }] }
        : { calls: [{ tool: "check", args: {} }] },
  );
  await using agent = await testSession({ model, tools: [check, counter([])] });
  assert.deepEqual((await agent.session.send("fix it")).text, "fixed");
});

// req: context.budget-two-tier, context.no-pressure-warnings
test("reports the budget in two tiers with the last result, then requests a summary without tools", async () => {
  const model = scriptedModel((request, number) =>
    request.toolChoice === "none"
      ? { text: "That far I came." }
      : { calls: [{ tool: "echo", args: { text: String(number) } }] },
  );
  await using agent = await testSession({ model, tools: [ECHO], config: { maxRequests: 10 } });
  const end = await agent.session.send("go");
  assert.deepEqual([end.reason, end.text, end.requests], ["limit", "That far I came.", 11]);
  const noted = model.requests.map((request) => results(request)[0] ?? "");
  assert.deepEqual(
    noted.map((text) => /70 %|90 %|All 10/.exec(text)?.[0]),
    [undefined, undefined, undefined, undefined, undefined, undefined, undefined, "70 %", undefined, "90 %", "All 10"],
  );
  assert.deepEqual(
    model.requests.map((request) => request.toolChoice),
    [...Array<undefined>(10).fill(undefined), "none"],
  );
  assert.deepEqual(model.requests[10]!.tools, model.requests[0]!.tools, "the prefix does not change");
});

test("does not run calls in the summary of a used-up budget", async () => {
  const runs: string[] = [];
  const model = scriptedModel((_, number) => ({
    text: "more",
    calls: [{ tool: "count", args: { name: String(number) } }],
  }));
  await using agent = await testSession({ model, tools: [counter(runs)], config: { maxRequests: 2 } });
  const end = await agent.session.send("go");
  assert.deepEqual([end.reason, end.text, runs.length], ["limit", "more", 2]);
});

test("continues an answer that was cut at the output limit, and returns it whole", async () => {
  const model = scriptedModel([
    { text: "one ", finish: "length" },
    { text: "two ", finish: "length" },
    { text: "three" },
  ]);
  await using agent = await testSession({ model });
  assert.equal((await agent.session.send("count")).text, "one two three");
  assert.match(lastUser(model.requests[2]), /Continue exactly where it stopped/);
});

test("gives up an answer that never ends after three continuations", async () => {
  const model = scriptedModel(() => ({ text: "a", finish: "length" }));
  await using agent = await testSession({ model });
  const end = await agent.session.send("go");
  assert.deepEqual([end.reason, end.text, model.requests.length], ["limit", "aaaa", 4]);
});

test("after an empty answer nudges the model once and retries; then the turn fails with a message", async () => {
  const once = scriptedModel([{}, { thinking: "hm" }, { text: "Here." }]);
  await using first = await testSession({ model: once });
  assert.equal((await first.session.send("go")).text, "Here.");
  assert.match(lastUser(once.requests[1]), /Your last answer was empty/);
  const never = scriptedModel(() => ({}));
  await using second = await testSession({ model: never });
  const end = await second.session.send("go");
  assert.deepEqual(
    [end.reason, never.requests.length, end.detail],
    ["failed", 5, "The model gave 5 empty answers in a row."],
  );
});

test("an answer that breaks off repeatedly has its own retry limit, maxStreamRetries", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const model = scriptedModel(() => ({ text: "half of an ans", ends: "cut" }));
  await using agent = await testSession({ model, clock, config: { maxRetries: 5, maxStreamRetries: 1 } });
  const end = await agent.session.send("go");
  assert.deepEqual([end.reason, model.requests.length], ["failed", 2]);
});

// rows 24, 25 and 27 of the fault matrix
test("retries temporary model failures with growing waits, and stores nothing of a broken answer stream", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const model = scriptedModel([
    { failure: { code: "overloaded" } },
    { text: "half of an ans", ends: "cut" },
    { failure: { code: "rate_limit", retryAfterMs: 90_000 } },
    { text: "whole" },
  ]);
  await using agent = await testSession({ model, clock, chance: () => 0 });
  const startedAt = clock.elapsed();
  const end = await agent.session.send("go");
  assert.deepEqual([end.reason, end.text, end.requests], ["done", "whole", 4]);
  const waits = agent.events.flatMap((event) =>
    event.kind === "live" && event.live.type === "model.waiting" ? [event.live.text] : [],
  );
  assert.deepEqual(
    waits.map((text) => /in \d+ s \(attempt \d of \d\)/.exec(text)?.[0]),
    ["in 2 s (attempt 2 of 4)", "in 4 s (attempt 3 of 4)", "in 90 s (attempt 4 of 4)"],
  );
  assert.match(waits[1]!, /The answer was cut off; retrying/);
  assert.ok(clock.elapsed() - startedAt >= 96_000);
  assert.deepEqual(new Set(model.requests.map((request) => JSON.stringify(request.messages))).size, 1);
  assert.deepEqual(
    agent.facts().flatMap((fact) => (fact.type === "model.asked" ? [fact.attempt] : [])),
    [1, 2, 3, 4],
  );
});

// rows 24 and 25 of the fault matrix
test("after the last retry asks the fallback model; without one, the turn fails with the cause", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const broken = scriptedModel(() => ({ failure: { code: "server", message: "The service is down." } }));
  await using agent = await testSession({
    model: broken,
    fallbacks: [scriptedModel([{ failure: { code: "auth" } }]), scriptedModel([{ text: "from the second" }])],
    clock,
  });
  assert.equal((await agent.session.send("go")).text, "from the second");
  assert.equal(broken.requests.length, 2);
  const end = await agent.session.send("again");
  assert.deepEqual([end.reason, end.text], ["failed", ""]);
  assert.equal(agent.facts().filter((fact) => fact.type === "model.failed").length, 7);
});

test("does not wait hours for a rate-limited service, and reports how long the wait would be", async () => {
  const model = scriptedModel([
    { failure: { code: "rate_limit", message: "Quota used up.", retryAfterMs: 7_200_000 } },
  ]);
  await using agent = await testSession({ model, clock: fakeClock({ autoAdvance: true }) });
  const { reason, detail } = await agent.session.send("go");
  assert.deepEqual(
    [reason, detail],
    ["failed", "Quota used up. Try again in 2 hours; `hermes fallback add` adds a model that answers meanwhile."],
  );
});

test("the retry notice for a broken answer states the actual number of attempts", async () => {
  const model = scriptedModel(() => ({ text: "half of an ans", ends: "cut" }));
  await using agent = await testSession({ model, clock: fakeClock({ autoAdvance: true }), chance: () => 0 });
  await agent.session.send("go");
  const waits = agent.events.flatMap((event) =>
    event.kind === "live" && event.live.type === "model.waiting" ? [event.live.text] : [],
  );
  assert.deepEqual(
    waits.map((text) => /attempt \d of \d/.exec(text)?.[0]),
    ["attempt 2 of 3", "attempt 3 of 3"],
  );
  assert.equal(model.requests.length, 3);
});

// row 26 of the fault matrix
test("stops waiting for a model that sends nothing, stops sending or never finishes, each after its timeout", async () => {
  const config = { maxRetries: 0, firstEventMs: 40, betweenEventsMs: 40, totalMs: 90 };
  const cases: readonly (readonly [Script, RegExp])[] = [
    [[{ ends: "deaf" }], /sent nothing for 40 ms/],
    [[{ text: "hello", ends: "deaf" }], /sent nothing more for 40 ms/],
  ];
  for (const [script, detail] of cases) {
    await using agent = await testSession({
      model: scriptedModel(script),
      config,
      clock: fakeClock({ autoAdvance: true }),
    });
    const end = await agent.session.send("go");
    assert.equal(end.reason, "failed");
    assert.match(end.detail!, detail);
  }
});

test("a model's own timeouts override the general ones", async () => {
  const client = scriptedModel([{ text: "hello", ends: "deaf" }]);
  const model = {
    client,
    provider: "p",
    model: "slow",
    contextTokens: 1_000,
    fallbacks: [],
    limits: { betweenEventsMs: 40 },
  };
  await using agent = await testSession({
    model: client,
    config: { maxRetries: 0 },
    ports: { model: async () => model },
  });
  assert.match((await agent.session.send("go")).detail!, /sent nothing more for 40 ms/);
});

// row 30 of the fault matrix
test("a conversation too long for the model fails with a message, and the session stays usable", async () => {
  const model = scriptedModel([{ failure: { code: "context_overflow", message: "Too long." } }, { text: "ok" }]);
  await using agent = await testSession({ model });
  const end = await agent.session.send("go");
  assert.match(end.detail!, /longer than scripted-model can read/);
  assert.equal((await agent.session.send("shorter")).text, "ok");
  assert.equal(model.requests[1]!.messages.length, 1, "two messages in a row are one");
});

// row 46 of the fault matrix
// req: hooks.pre-llm-call, hooks.inject-forms, hooks.inject-user-message, hooks.inject-ephemeral, hooks.inject-joined
test("adds the text of pre_llm_call to this turn's user message in each request, and never stores it", async () => {
  const model = scriptedModel([{ calls: [{ tool: "echo", args: { text: "a" } }] }, { text: "one" }, { text: "two" }]);
  const spilled: unknown[] = [];
  await using agent = await testSession({
    model,
    tools: [ECHO],
    ports: { spill: async (...given) => (spilled.push(given), "/spilled/context.txt") },
  });
  let turn = 0;
  const output: unknown[] = [];
  agent.hooks.add(
    "pre_llm_call",
    (payload) => (
      output.push([payload.user_message, payload.is_first_turn, payload.platform]),
      ++turn === 1 ? { context: "It rains." } : null
    ),
    "a",
  );
  agent.hooks.add("pre_llm_call", () => (turn === 1 ? "  " : undefined), "b");
  agent.hooks.add("pre_llm_call", () => (turn === 1 ? "x".repeat(12_000) : undefined), "c");
  await agent.session.send("weather?");
  await agent.session.send("thanks");
  assert.deepEqual(output, [
    ["weather?", true, "cli"],
    ["thanks", false, "cli"],
  ]);
  const first = model.requests[0]!.messages[0]!;
  const joined = `It rains.\n\n[A context of 12000 characters; all of it is in /spilled/context.txt]\n--- head ---\n${"x".repeat(500)}\n--- tail ---\n${"x".repeat(500)}`;
  const started = agent.facts().find((fact) => fact.type === "turn.started")!;
  assert.deepEqual(spilled, [[agent.session.id, `${started.turnId}-context-1`, "x".repeat(12_000)]]);
  assert.deepEqual(first.role === "user" ? first.parts.at(-1) : undefined, { type: "text", text: joined });
  assert.deepEqual(model.requests[1]!.messages[0], first, "every request of the turn has the context");
  assert.ok(!JSON.stringify(model.requests[2]).includes("It rains"), "the next turn does not have the context");
  assert.ok(!JSON.stringify(agent.facts()).includes("It rains"));
  assert.ok(!model.requests[0]!.system.includes("It rains"));
});

// row 44 of the fault matrix
// req: hooks.post-llm-call, hooks.on-session-start, hooks.on-session-end, hooks.api-request-events,
// hooks.crash-isolated
test("hooks receive the session, each turn and each request; a hook that throws is skipped", async () => {
  const clock = fakeClock({ autoAdvance: true });
  const model = scriptedModel([{ failure: { code: "server" } }, { text: "fine" }, { failure: { code: "auth" } }]);
  await using agent = await testSession({ model, clock });
  const received: string[] = [];
  const listen = (name: Parameters<typeof agent.hooks.add>[0], text: (payload: never) => string) =>
    agent.hooks.add(name, ((payload: never) => void received.push(`${name} ${text(payload)}`)) as never, "test");
  agent.hooks.add(
    "pre_api_request",
    () => {
      throw new Error("broken");
    },
    "broken",
  );
  listen("on_session_start", () => "");
  listen(
    "pre_api_request",
    (p: { message_count: number; api_call_count: number }) => `${p.message_count} ${p.api_call_count}`,
  );
  listen("post_api_request", (p: { finish_reason: string }) => p.finish_reason);
  listen(
    "api_request_error",
    (p: { failure: { code: string }; retryable: boolean }) => `${p.failure.code} ${p.retryable}`,
  );
  listen("post_llm_call", (p: { assistant_response: string }) => p.assistant_response);
  listen(
    "on_session_end",
    (p: { completed: boolean; interrupted: boolean; turn_exit_reason: string }) =>
      `${p.completed} ${p.interrupted} ${p.turn_exit_reason}`,
  );
  agent.hooks.add("transform_llm_output", ({ value }) => value.toUpperCase(), "test");
  assert.equal((await agent.session.send("go")).text, "FINE");
  await agent.session.send("go on");
  assert.deepEqual(received, [
    "on_session_start ",
    "pre_api_request 1 1",
    "api_request_error server true",
    "pre_api_request 1 2",
    "post_api_request stop",
    "post_llm_call FINE",
    "on_session_end true false done",
    "pre_api_request 3 1",
    "api_request_error auth false",
    "on_session_end false false failed",
  ]);
});

test("a hook can continue a turn that changed files before it ends", async () => {
  const edit = defineTool({
    name: "edit",
    toolset: "test",
    description: "Edits.",
    effect: "write",
    input: { type: "object", properties: { path: { type: "string" } } },
    execute: async () => ({ ok: true }),
  });
  const model = scriptedModel([
    { calls: [{ tool: "edit", args: { path: "a.ts" } }] },
    { text: "done" },
    { text: "checked" },
  ]);
  await using agent = await testSession({ model, tools: [edit] });
  const asked: unknown[] = [];
  agent.hooks.add(
    "pre_verify",
    ({ attempt, changed_paths }) => (
      asked.push([attempt, changed_paths]),
      attempt === 1 ? { action: "continue" as const, message: "Run the tests." } : undefined
    ),
    "test",
  );
  assert.equal((await agent.session.send("edit")).text, "checked");
  assert.deepEqual(asked, [
    [1, ["a.ts"]],
    [2, ["a.ts"]],
  ]);
  assert.equal(lastUser(model.requests[2]), "Run the tests.");
});

test("a session without a model stores the message and says what is missing", async () => {
  const { UserError } = await import("../../contract/common/failure.ts");
  let there = false;
  const model = scriptedModel([{ text: "here now" }]);
  await using agent = await testSession({
    model,
    ports: {
      model: async () => {
        if (!there) throw new UserError("No model is configured.", { hint: "Run hermes setup." });
        return { client: model, provider: "p", model: "m", contextTokens: 1, fallbacks: [] };
      },
    },
  });
  const end = await agent.session.send("hello");
  assert.deepEqual([end.reason, end.detail], ["failed", "No model is configured. Run hermes setup."]);
  there = true;
  assert.equal((await agent.session.send("and now?")).text, "here now");
  assert.match(lastUser(model.requests[0]), /hello.*and now\?/s);
});

// row 44 of the fault matrix
// req: dispatch.always-json
test("a tool that throws gives an error result, and the turn continues", async () => {
  const bad = defineTool({
    name: "bad",
    toolset: "test",
    description: "Breaks.",
    effect: "read",
    input: { type: "object" },
    execute: async () => {
      throw new ToolFailure("not_found", "There is no such thing.", { hint: "Look elsewhere." });
    },
  });
  const model = scriptedModel([{ calls: [{ tool: "bad" }] }, { text: "I see." }]);
  await using agent = await testSession({ model, tools: [bad] });
  assert.equal((await agent.session.send("go")).text, "I see.");
  assert.deepEqual(results(model.requests[1]), [
    'call_1_1: {"error":"There is no such thing.","hint":"Look elsewhere."}',
  ]);
});

// row 28 of the fault matrix
test("neither runs nor stores a tool call with ten million characters of arguments", async () => {
  const runs: string[] = [];
  const model = scriptedModel([
    { calls: [{ tool: "count", args: `{"name":"${"x".repeat(10_000_000)}"}` }] },
    { text: "shorter then" },
  ]);
  await using agent = await testSession({ model, tools: [counter(runs)] });
  assert.equal((await agent.session.send("go")).text, "shorter then");
  assert.deepEqual(runs, []);
  assert.ok(JSON.stringify(agent.facts()).length < 10_000);
  assert.match(results(model.requests[1])[0]!, /^call_1_1: \{"error":/);
});

test("each continuation of a cut answer gets a larger output limit", async () => {
  const model = scriptedModel([{ text: "a", finish: "length" }, { text: "b", finish: "length" }, { text: "c" }]);
  await using agent = await testSession({
    model,
    ports: {
      model: async () => ({
        client: model,
        provider: "p",
        model: "m",
        contextTokens: 100_000,
        maxOutputTokens: 10_000,
        fallbacks: [],
      }),
    },
  });
  await agent.session.send("go");
  assert.deepEqual(
    model.requests.map((request) => request.maxOutputTokens),
    [10_000, 20_000, 32_768],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock, scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";
import { defineTool } from "../../contract/tools/tool.ts";
import { textOf } from "../../contract/conversation/part.ts";

const ECHO = defineTool({
  name: "echo",
  toolset: "test",
  description: "Gives back its text.",
  effect: "read",
  input: { type: "object", properties: { text: { type: "string" } } },
  execute: async ({ text }) => ({ text: text ?? "" }),
});

test("request middleware rewrites model requests, each on the result of the one before, and the store keeps the user's text", async () => {
  const model = scriptedModel([{ text: "hi" }]);
  await using agent = await testSession({ model });
  agent.middlewares.add(
    "llm_request",
    (input, next) => next({ request: { ...input.request, temperature: 0.1 } }),
    "cool",
  );
  agent.middlewares.add(
    "llm_request",
    async ({ request, original_request, provider, api_call_count }, next) => {
      assert.deepEqual(
        [request.temperature, original_request.temperature, provider, api_call_count],
        [0.1, undefined, "scripted", 1],
      );
      return next({
        request: {
          ...request,
          model: "cheaper",
          messages: [{ role: "user", parts: [{ type: "text", text: "rewritten" }] }],
          sessionId: "stolen",
        },
      });
    },
    "cheap",
  );
  assert.equal((await agent.session.send("hello")).reason, "done");
  const [asked] = model.requests;
  assert.deepEqual(
    [asked?.model, asked?.temperature, asked?.messages, asked?.sessionId],
    ["cheaper", 0.1, [{ role: "user", parts: [{ type: "text", text: "rewritten" }] }], "session_1"],
  );
  const added = agent.facts().find((fact) => fact.type === "message.added");
  assert.equal(added?.type === "message.added" && textOf(added.parts), "hello");
});

// req: hooks.system-prompt-stable
test("logs a changed system prompt once a session", async () => {
  const model = scriptedModel((_, number) => ({ text: `answer ${number}` }));
  await using agent = await testSession({ model });
  agent.middlewares.add(
    "llm_request",
    (input, next) => next({ request: { ...input.request, system: `${input.request.system} Be brief.` } }),
    "brief",
  );
  for (const text of ["one", "two", "three"]) await agent.session.send(text);
  assert.ok(model.requests.every(({ system }) => system.endsWith(" Be brief.")));
  const output = agent.log.lines.filter(({ level }) => level === "warning").map(({ message }) => message);
  assert.deepEqual(output, [
    'The llm_request middleware of "brief" changes the system prompt or the tools of requests; each change may invalidate the prompt cache of the provider.',
  ]);
});

test("request middleware that throws, hangs or returns no request changes nothing", async () => {
  const clock = fakeClock();
  const model = scriptedModel((_, number) => ({ text: `answer ${number}` }));
  await using agent = await testSession({ model, clock });
  const ways: readonly (() => Promise<never>)[] = [
    () => Promise.reject(new Error("broken")),
    async () => ({ model: "" }) as never,
    async () => null as never,
  ];
  for (const way of ways) {
    using _ = agent.middlewares.add("llm_request", way, "odd");
    assert.equal((await agent.session.send("hello")).reason, "done");
  }
  using _ = agent.middlewares.add("llm_request", () => new Promise<never>(() => undefined), "stuck");
  const turn = agent.session.send("hello");
  for (let step = 0; step < 40; step++) await clock.advance(1_000);
  assert.equal((await turn).reason, "done");
  assert.ok(model.requests.every((request) => request.model === "scripted-model"));
  assert.ok(
    agent.log.lines.some(
      ({ message }) =>
        message === 'The llm_request middleware of "stuck" gave no answer within 30 s; the request stays unchanged.',
    ),
  );
});

test("middleware cannot add tools to a request that forbids further calls", async () => {
  const model = scriptedModel([{ calls: [{ tool: "echo" }] }, { text: "summary" }]);
  await using agent = await testSession({ model, tools: [ECHO], config: { maxRequests: 1 } });
  agent.middlewares.add(
    "llm_request",
    (input, next) => next({ request: { ...input.request, toolChoice: "auto" } }),
    "eager",
  );
  await agent.session.send("go");
  assert.deepEqual(
    model.requests.map(({ toolChoice }) => toolChoice),
    ["auto", "none"],
  );
});

test("execution middleware may change the request, and its return value is stored as the answer", async () => {
  const model = scriptedModel([{ text: "the secret is 7" }]);
  await using agent = await testSession({ model });
  agent.middlewares.add(
    "llm_execution",
    async ({ request, original_request }, next) => {
      assert.equal(original_request.model, "scripted-model");
      const end = await next({ request: { ...request, model: "other" } });
      return end.kind === "answer" ? { ...end, parts: [{ type: "text", text: "the secret is kept" }] } : end;
    },
    "discreet",
  );
  const end = await agent.session.send("hello");
  assert.deepEqual([end.text, model.requests[0]?.model], ["the secret is kept", "other"]);
  const answered = agent.facts().find((fact) => fact.type === "model.answered");
  assert.equal(answered?.type === "model.answered" && textOf(answered.parts), "the secret is kept");
});

test("execution middleware may refuse without asking a model, and its text is the answer", async () => {
  const model = scriptedModel([]);
  await using agent = await testSession({ model });
  agent.middlewares.add(
    "llm_execution",
    async () => ({
      type: "end",
      kind: "answer",
      parts: [{ type: "text", text: "The budget is spent." }],
      finish: "stop",
      usage: {} as never,
    }),
    "budget",
  );
  const end = await agent.session.send("hello");
  assert.deepEqual(
    [end.reason, end.text, end.usage.inputTokens, model.requests.length],
    ["done", "The budget is spent.", 0, 0],
  );
  assert.ok(
    agent.events.some(
      (event) =>
        event.kind === "live" && event.live.type === "text.delta" && event.live.text === "The budget is spent.",
    ),
  );
});

test("a call that execution middleware adds uses the dispatch pipeline, and an invalid answer ends as a failure", async () => {
  const model = scriptedModel([{ text: "done" }]);
  await using agent = await testSession({ model, tools: [ECHO] });
  let asked = 0;
  const made = agent.middlewares.add(
    "llm_execution",
    async (_, next) =>
      asked++ === 0
        ? {
            type: "end",
            kind: "answer",
            parts: [{ type: "tool-call", callId: "x", tool: "echo", args: '{"text":"made"}' }],
            finish: "tool-calls",
            usage: {} as never,
          }
        : next(),
    "maker",
  );
  assert.equal((await agent.session.send("go")).text, "done");
  assert.ok(agent.facts().some((fact) => fact.type === "tool.settled" && fact.outcome.kind === "ok"));
  made[Symbol.dispose]();
  agent.middlewares.add("llm_execution", async () => ({ said: "hm" }) as never, "odd");
  const end = await agent.session.send("go");
  assert.deepEqual(
    [end.reason, end.detail],
    ["failed", 'The llm_execution middleware of "odd" returned an invalid answer.'],
  );
});

test("a stopped turn does not wait for execution middleware", async () => {
  await using agent = await testSession({ model: scriptedModel([]) });
  agent.middlewares.add("llm_execution", () => new Promise<never>(() => undefined), "stuck");
  const turn = agent.session.send("hello");
  setTimeout(() => void agent.session.interrupt("enough"), 50);
  assert.equal((await turn).reason, "cancelled");
});

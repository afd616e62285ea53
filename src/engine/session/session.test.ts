import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../contract/conversation/fact.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Message } from "../../contract/providers/model.ts";
import { defineTool, type AnyTool } from "../../contract/tools/tool.ts";
import { fakeClock, memoryStore, scriptedModel } from "../../testing/index.ts";
import { testSession } from "../../testing/test-session.ts";
import { Transcript } from "../transcript/transcript.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";

/** A tool that reports when it runs and ends when it is stopped; `deaf` ones ignore their signal. */
function gate(options: { readonly deaf?: boolean } = {}): {
  readonly tool: AnyTool;
  readonly running: Promise<void>;
  open(): void;
} {
  const running = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const tool = defineTool({
    name: "wait",
    toolset: "test",
    description: "Waits.",
    effect: "execute",
    input: { type: "object" },
    async execute(_, call) {
      running.resolve();
      const stopped = new Promise<never>((_, reject) => {
        if (options.deaf !== true)
          call.signal.addEventListener("abort", () => reject(call.signal.reason), { once: true });
      });
      await Promise.race([opened.promise, stopped]);
      return { waited: true };
    },
  });
  return { tool, running: running.promise, open: () => opened.resolve() };
}

const ECHO = defineTool({
  name: "echo",
  toolset: "test",
  description: "Gives back.",
  effect: "read",
  input: { type: "object", properties: { text: { type: "string" } } },
  execute: async ({ text }) => ({ text: text ?? "" }),
});

function lastTool(messages: readonly Message[] | undefined): readonly string[] {
  const last = messages?.findLast((message) => message.role === "tool");
  return last?.role === "tool"
    ? last.results.flatMap((result) => result.parts.map((part) => (part.type === "text" ? part.text : "")))
    : [];
}

function ends(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap((fact) => (fact.type === "turn.ended" ? [fact.reason] : []));
}

test("stores a message sent during a turn at once, and gives it its own turn afterwards", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "first" }, { text: "second" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const first = agent.session.send("one");
  await door.running;
  assert.equal(agent.session.busy, true);
  const second = agent.session.send("two");
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(agent.facts().some((fact) => fact.type === "input.queued" && fact.mode === "queue"));
  door.open();
  assert.deepEqual([(await first).text, (await second).text], ["first", "second"]);
  assert.notEqual((await first).turnId, (await second).turnId);
});

// field: T11
test("no turn reads messages that the user takes back, and their senders are notified", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "later" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const first = agent.session.send("one");
  await door.running;
  const waiting = [
    agent.session.send("two"),
    agent.session.send([{ type: "text", text: "three" }], { mode: "steer" }),
    agent.session.send("from a process", { origin: "process" }),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(agent.session.withdraw(), [[{ type: "text", text: "two" }], [{ type: "text", text: "three" }]]);
  assert.deepEqual(agent.session.withdraw(), [], "once");
  await agent.session.interrupt("stopped by you");
  assert.equal((await first).reason, "cancelled");
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ reason, detail }) => [reason, detail]),
    [
      ["cancelled", "You took this message back."],
      ["cancelled", "You took this message back."],
      ["done", undefined],
    ],
    "input from other origins stays queued",
  );
  const read = agent.facts().flatMap((fact) => (fact.type === "message.added" ? [textOf(fact.parts)] : []));
  assert.deepEqual(read, ["one", "from a process"]);
});

test("takes one queued message back by its ID and keeps the others in order", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "1" }, { text: "2" }, { text: "4" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const first = agent.session.send("one");
  await door.running;
  const waiting = ["two", "three", "four"].map((text) => agent.session.send(text, { inputId: `my-${text}` }));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(agent.session.withdraw({ only: ["my-three", "unknown"] }), [[{ type: "text", text: "three" }]]);
  assert.deepEqual(agent.session.withdraw({ only: ["my-three"] }), [], "once");
  door.open();
  await first;
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ reason }) => reason),
    ["done", "cancelled", "done"],
  );
  const read = agent.facts().flatMap((fact) => (fact.type === "message.added" ? [textOf(fact.parts)] : []));
  assert.deepEqual(read, ["one", "two", "four"]);
});

// field: T11
test("a resumed session does not read a message that was taken back", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  void agent.session.send("one");
  await door.running;
  void agent.session.send("two");
  await new Promise((resolve) => setImmediate(resolve));
  agent.session.withdraw();
  await agent.session.interrupt("stopped by you");
  assert.deepEqual(
    [...new Transcript(agent.facts().map((fact, at) => ({ seq: at + 1, at: 0, v: 1, fact }))).queued],
    [],
  );
});

test("steering joins the running turn with the next tool result, and ends with that turn", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "with tabs" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const first = agent.session.send("format it");
  await door.running;
  const steer = agent.session.send("use tabs", { mode: "steer" });
  await new Promise((resolve) => setImmediate(resolve));
  door.open();
  assert.equal((await steer).turnId, (await first).turnId);
  assert.deepEqual(lastTool(model.requests[1]!.messages), [
    '{"waited":true}',
    "[The user says, while you work]",
    "use tabs",
    "[End of what the user says]",
  ]);
});

test("steering that comes too late becomes the next message", async () => {
  const model = scriptedModel([{ text: "done", delayMs: 40 }, { text: "and tabs" }]);
  await using agent = await testSession({ model });
  const first = agent.session.send("format it");
  const steer = agent.session.send("use tabs", { mode: "steer" });
  assert.equal((await first).text, "done");
  assert.equal((await steer).text, "and tabs");
  assert.deepEqual(
    model.requests[1]!.messages.map((message) => message.role),
    ["user", "assistant", "user"],
  );
});

test("an interrupting message stops the turn and goes before queued ones", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "urgent" }, { text: "queued" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const first = agent.session.send("one");
  await door.running;
  const queued = agent.session.send("later");
  const urgent = agent.session.send("stop, do this", { mode: "interrupt" });
  assert.equal((await first).reason, "cancelled");
  assert.deepEqual([(await urgent).text, (await queued).text], ["urgent", "queued"]);
  const order = model.requests
    .map((request) => JSON.stringify(request.messages.at(-1)))
    .map((text) => /stop, do this|later/.exec(text)?.[0]);
  assert.deepEqual(order, [undefined, "stop, do this", "later"]);
});

// req: R-16
test("stopping returns control within half a second, whatever the tool or the model does", async () => {
  for (const [tool, answer] of [
    [gate({ deaf: true }), { calls: [{ tool: "wait" }] }],
    [gate(), { calls: [{ tool: "wait" }] }],
    [gate(), { text: "hm", ends: "deaf" as const }],
  ] as const) {
    const model = scriptedModel([answer, { text: "after" }]);
    await using agent = await testSession({ model, tools: [tool.tool] });
    const turn = agent.session.send("go");
    if ("calls" in answer) await tool.running;
    else while (model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const watch = new Stopwatch();
    await agent.session.interrupt("Ctrl-C");
    watch.assertWithin(500, "stopping");
    assert.equal(agent.session.busy, false);
    const end = await turn;
    assert.deepEqual([end.reason, end.detail], ["cancelled", "Ctrl-C"]);
    const facts = agent.facts().length;
    tool.open();
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(agent.facts().length, facts, "a late end of the tool adds no fact");
    assert.equal((await agent.session.send("again")).text, "after");
  }
});

test("stores the part of a stopped answer that the user saw, and shows it to the model", async () => {
  const model = scriptedModel([{ text: "Three ways: tabs, blanks,", ends: "stall" }, { text: "Blanks it is." }]);
  await using agent = await testSession({ model });
  const first = agent.session.send("how");
  const read = () =>
    agent.events
      .map((event) => (event.kind === "live" && event.live.type === "text.delta" ? event.live.text : ""))
      .join("");
  while (read() !== "Three ways: tabs, blanks,") await new Promise((resolve) => setImmediate(resolve));
  await agent.session.send("the second", { mode: "interrupt" });
  assert.equal((await first).text, "");
  assert.deepEqual(model.requests[1]!.messages.slice(-2), [
    { role: "assistant", parts: [{ type: "text", text: "Three ways: tabs, blanks," }] },
    {
      role: "user",
      parts: [
        { type: "text", text: "[This turn was stopped before it was finished.]" },
        { type: "text", text: "the second" },
      ],
    },
  ]);
  assert.deepEqual(
    agent.session
      .view()
      .entries.map((entry) => (entry.kind === "tool" ? entry.tool : `${entry.kind}: ${entry.text}`))
      .slice(1, 2),
    ["assistant: Three ways: tabs, blanks,"],
  );
});

test("a stopped call that may have acted is unknown; one that had not started is cancelled", async () => {
  const door = gate({ deaf: true });
  const model = scriptedModel([
    {
      calls: [
        { tool: "wait", args: { n: 1 } },
        { tool: "wait", args: { n: 2 } },
      ],
    },
    { text: "ok" },
  ]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const turn = agent.session.send("go");
  await door.running;
  await agent.session.interrupt("stop");
  await turn;
  const outcomes = agent
    .facts()
    .flatMap((fact) => (fact.type === "tool.settled" ? [[fact.callId, fact.outcome.kind]] : []));
  assert.deepEqual(outcomes, [
    ["call_1_1", "unknown"],
    ["call_1_2", "cancelled"],
  ]);
  door.open();
});

test("every listener receives every fact in order, after it is stored; one that throws is removed", async () => {
  const model = scriptedModel([{ text: "hello" }]);
  await using agent = await testSession({ model });
  const seqs: number[] = [];
  using _ = agent.session.subscribe((event) => {
    if (event.kind !== "fact") return;
    assert.ok(
      agent.recorded().some(({ seq }) => seq === event.recorded.seq),
      "stored first",
    );
    seqs.push(event.recorded.seq);
  });
  let calls = 0;
  agent.session.subscribe(() => {
    calls++;
    throw new Error("broken listener");
  });
  await agent.session.send("hi");
  assert.deepEqual(
    seqs,
    agent.recorded().map(({ seq }) => seq),
  );
  assert.equal(calls, 1);
  assert.ok(agent.log.lines.some((line) => line.message.includes("listener")));
});

// row 22 of the fault matrix
test("a session that another process took over stops writing and reports why", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "never" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const turn = agent.session.send("go");
  await door.running;
  agent.store.steal("session_1");
  const end = await turn;
  assert.equal(end.reason, "failed");
  assert.match(end.detail!, /taken over/);
  assert.equal(agent.facts().at(-1)!.type, "tool.started", "nothing was written after the loss");
  await assert.rejects(agent.session.send("more"), /taken over/);
});

// row 15 of the fault matrix
test("if the store refuses a write, the turn fails with a message, and the next turn works", async () => {
  const model = scriptedModel([{ text: "one" }, { text: "two" }]);
  await using agent = await testSession({ model });
  agent.store.failNext(new Error("no space left on device"));
  await assert.rejects(agent.session.send("lost"), /no space left/);
  assert.deepEqual(agent.facts(), []);
  const turn = agent.session.send("kept");
  await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  agent.store.failNext(new Error("no space left on device"));
  const end = await turn;
  assert.equal(end.reason, "failed");
  assert.match(end.detail!, /no space left/);
  assert.equal((await agent.session.send("again")).reason, "done");
  // The end itself was what could not be stored; the answer before it waited for the next write.
  assert.deepEqual(
    agent.facts().map(({ type }) => type),
    [
      "session.started",
      "turn.started",
      "message.added",
      "prefix.fixed",
      "model.asked",
      "model.answered",
      "turn.ended",
      "turn.started",
      "message.added",
      "model.asked",
      "model.answered",
      "turn.ended",
    ],
  );
  assert.deepEqual(ends(agent.facts()), ["cancelled", "done"]);
});

// row 15 of the fault matrix
test("does not run a tool call whose start cannot be stored, and stores the model's answer with the next write", async () => {
  let ran = 0;
  const tool = defineTool({
    name: "count",
    toolset: "test",
    description: "Counts.",
    effect: "write",
    input: { type: "object" },
    execute: async () => ++ran,
  });
  const model = scriptedModel((_, number) => {
    if (number > 0) return { text: "done" };
    agent.store.failNext(new Error("no space left on device"));
    return { calls: [{ tool: "count" }] };
  });
  await using agent = await testSession({ model, tools: [tool] });
  assert.equal((await agent.session.send("go")).reason, "done");
  assert.equal(ran, 0);
  assert.deepEqual(
    agent.facts().map(({ type }) => type),
    [
      "session.started",
      "turn.started",
      "message.added",
      "prefix.fixed",
      "model.asked",
      "model.answered",
      "tool.called",
      "tool.settled",
      "model.asked",
      "model.answered",
      "turn.ended",
    ],
  );
  assert.match(JSON.stringify(model.requests[1]!.messages.at(-1)), /no space left/);
});

test("stores buffered facts within milliseconds, even without another write, and shows nothing before that", async () => {
  const model = scriptedModel([{ text: "done", delayMs: 1_000 }]);
  await using agent = await testSession({ model });
  const seen: string[] = [];
  const asked = Promise.withResolvers<void>();
  agent.session.subscribe((event) => {
    seen.push(event.kind === "fact" ? event.recorded.fact.type : event.live.type);
    if (seen.at(-1) === "model.asked") asked.resolve();
  });
  const turn = agent.session.send("go");
  await asked.promise;
  assert.equal(agent.facts().at(-1)?.type, "model.asked");
  await turn;
  assert.deepEqual(seen, [
    "session.started",
    "turn.started",
    "message.added",
    "prefix.fixed",
    "model.asked",
    "text.delta",
    "model.answered",
    "turn.ended",
  ]);
});

test("queues the message of a background process as data, in a separate turn", async () => {
  const tool = defineTool({
    name: "start",
    toolset: "test",
    description: "Starts.",
    effect: "none",
    input: { type: "object" },
    execute: async (_, call) => (await call.notify("the build is done"), { started: true }),
  });
  const model = scriptedModel([{ calls: [{ tool: "start" }] }, { text: "started" }, { text: "good" }]);
  await using agent = await testSession({ model, tools: [tool] });
  await agent.session.send("build");
  while (model.requests.length < 3 || agent.session.busy) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.match(
    JSON.stringify(model.requests[2]!.messages.at(-1)),
    /From a (plugin|process), not from the user.*the build is done/,
  );
});

test("a user's own call uses the dispatch pipeline and is not part of the conversation", async () => {
  const model = scriptedModel([{ text: "hi" }]);
  await using agent = await testSession({ model, tools: [ECHO] });
  const outcome = await agent.session.call("echo", { text: "mine" });
  assert.deepEqual(outcome, {
    kind: "ok",
    value: { text: "mine" },
    shown: [{ type: "text", text: '{"text":"mine"}' }],
  });
  await agent.session.send("hello");
  assert.equal(model.requests[0]!.messages.length, 1);
  assert.deepEqual(
    agent
      .facts()
      .slice(0, 4)
      .map((fact) => fact.type),
    ["session.started", "tool.called", "tool.started", "tool.settled"],
  );
});

test("a closed session releases its lease and refuses new messages with the reason; waiting ones stay stored", async () => {
  const door = gate();
  const store = memoryStore();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }]);
  const agent = await testSession({ model, tools: [door.tool], store });
  const turn = agent.session.send("go");
  await door.running;
  const waiting = agent.session.send("later");
  await new Promise((resolve) => setImmediate(resolve));
  await agent.session[Symbol.asyncDispose]();
  assert.equal((await turn).reason, "cancelled");
  await assert.rejects(waiting, /closed before this message was handled/);
  await assert.rejects(agent.session.send("more"), /is closed/);
  const again = scriptedModel([{ text: "here" }]);
  await using next = await testSession({ model: again, store });
  assert.deepEqual(next.session.interrupted(), ['Queued message: "later"']);
  assert.equal((await next.session.resume())?.text, "here");
  assert.equal(await next.session.resume(), undefined);
});

test("the view contains the conversation as displayed", async () => {
  const model = scriptedModel([
    { thinking: "hm", text: "Looking.", calls: [{ tool: "echo", args: { text: "x" } }] },
    { text: "Done." },
    { failure: { code: "auth", message: "The key was refused." } },
  ]);
  await using agent = await testSession({ model, tools: [ECHO] });
  await agent.session.send("look");
  await agent.session.send("again");
  const view = agent.session.view();
  assert.deepEqual(
    view.entries.map((entry) =>
      entry.kind === "tool"
        ? ["tool", entry.tool, entry.args, entry.outcome, entry.ok]
        : entry.kind === "assistant"
          ? ["assistant", entry.text, entry.thinking]
          : [entry.kind, entry.text],
    ),
    [
      ["user", "look"],
      ["assistant", "Looking.", "hm"],
      ["tool", "echo", { text: "x" }, '{"text":"x"}', true],
      ["assistant", "Done.", ""],
      ["user", "again"],
      ["note", "The key was refused."],
      ["note", "✗ The key was refused."],
    ],
  );
  assert.deepEqual([view.turns, view.model, view.tools, view.usage.inputTokens], [2, "scripted-model", ["echo"], 200]);
});

test("refuses an empty message before storing anything", async () => {
  await using agent = await testSession({ model: scriptedModel([]) });
  await assert.rejects(agent.session.send("  \n"), /message is empty/);
  assert.deepEqual(agent.facts(), []);
});

test("shows a model's text between its request and its stored answer, however fast it arrives", async () => {
  const model = scriptedModel([{ text: "Seen.", calls: [{ tool: "echo", args: { text: "a" } }] }, { text: "Done." }]);
  await using scene = await testSession({ model, tools: [ECHO] });
  const shown: string[] = [];
  scene.session.subscribe((event) => {
    if (event.kind === "live" && event.live.type === "text.delta") shown.push("delta");
    if (event.kind === "fact" && event.recorded.fact.type.startsWith("model.")) shown.push(event.recorded.fact.type);
  });
  await scene.session.send("go");
  assert.deepEqual(
    shown.filter((kind, at) => kind !== "delta" || shown[at - 1] !== "delta"),
    ["model.asked", "delta", "model.answered", "model.asked", "delta", "model.answered"],
  );
});

test("resuming and a new message at the same time run as two turns in sequence", async () => {
  const store = memoryStore({
    facts: {
      session_1: [
        { type: "session.started", surface: "cli", cwd: "/" },
        {
          type: "tool.called",
          turnId: "",
          callId: "call_9",
          tool: "wait",
          args: {},
          by: "person",
          effect: "execute",
          repeatable: false,
        },
        { type: "tool.started", callId: "call_9" },
        {
          type: "input.queued",
          inputId: "input_9",
          mode: "queue",
          origin: "person",
          parts: [{ type: "text", text: "waited" }],
        },
      ].map((fact, at) => ({ seq: at + 1, at: 0, v: 1, fact: fact as Fact })),
    },
  });
  const model = scriptedModel([{ text: "to the one that waited" }, { text: "to the new one" }]);
  await using agent = await testSession({ model, store, sessionId: "session_1" });
  const [sent] = await Promise.all([agent.session.send("new"), agent.session.resume()]);
  assert.equal(sent.text, "to the new one");
  assert.deepEqual(
    agent
      .facts()
      .flatMap((fact) =>
        fact.type === "message.added" ? [fact.parts.map((part) => part.type === "text" && part.text).join("")] : [],
      ),
    ["waited", "new"],
  );
  assert.deepEqual(ends(agent.facts()), ["done", "done"]);
});

test("a session taken over by another process rejects callers that wait for a queued message", async () => {
  const door = gate();
  const model = scriptedModel([{ calls: [{ tool: "wait" }] }, { text: "never" }]);
  await using agent = await testSession({ model, tools: [door.tool] });
  const first = agent.session.send("one");
  await door.running;
  const queued = agent.session.send("two");
  await new Promise((resolve) => setImmediate(resolve));
  agent.store.steal("session_1");
  await first;
  const answer = await Promise.race([
    queued.then(
      () => "answered",
      (cause: Error) => cause.message,
    ),
    new Promise((resolve) => setTimeout(resolve, 60_000, "nobody answered").unref()),
  ]);
  assert.match(String(answer), /taken over by another process/);
});

test("closing waits for a manual call to end and to be stored", async () => {
  const door = gate();
  const agent = await testSession({ model: scriptedModel([]), tools: [door.tool] });
  const call = agent.session.call("wait", {});
  await door.running;
  await agent.session.close("shutdown");
  assert.equal((await call).kind, "cancelled");
  assert.deepEqual(
    agent.facts().flatMap((fact) => (fact.type === "tool.settled" ? [fact.outcome.kind] : [])),
    ["cancelled"],
  );
  await agent[Symbol.asyncDispose]();
});

// row 50 of the fault matrix
// req: hooks.on-session-finalize
test("notifies all subscribers of a session's end, even if one takes seconds; one that never ends delays it only briefly", async () => {
  for (const [tookMs, received] of [
    [5_000, ["slow", "other"]],
    [undefined, []],
  ] as const) {
    const clock = fakeClock({ autoAdvance: true });
    const agent = await testSession({ model: scriptedModel([{ text: "hello" }]), clock });
    const output: string[] = [];
    agent.hooks.add(
      "on_session_finalize",
      () =>
        tookMs === undefined ? new Promise<void>(() => {}) : clock.sleep(tookMs).then(() => void output.push("slow")),
      "slow",
    );
    agent.hooks.add("on_session_finalize", () => void output.push("other"), "other");
    await agent.session.send("go");
    await agent.session[Symbol.asyncDispose]();
    assert.deepEqual(output, received);
    await agent[Symbol.asyncDispose]();
  }
});

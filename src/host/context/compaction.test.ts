import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { ContextEngine } from "../../contract/providers/context-engine.ts";
import type { ModelClient, ModelRequest } from "../../contract/providers/model.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Prompter, Question } from "../../contract/conversation/question.ts";
import { defineTool, type AnyTool } from "../../contract/tools/tool.ts";
import type { SessionPorts } from "../../engine/ports.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { memoryStore } from "../../testing/memory-store.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from "../../testing/scripted-model.ts";
import { testSession } from "../../testing/test-session.ts";
import { describeProvider } from "../plugins/registry/describe-provider.ts";
import { SlotRegistry } from "../tools/slots.ts";
import { openContext } from "./open-context.ts";
import registerCompressor from "../../../plugins/context-compressor/index.ts";
import registerTodo from "../../../plugins/tool-todo/index.ts";
import { estimateTokens } from "../../engine/turn/token-estimate.ts";

/** The compressor as its plugin registers it. */
function compressor(config: { readonly [key: string]: number } = {}): ContextEngine {
  let engine: ContextEngine | undefined;
  void registerCompressor({
    config,
    register_context_engine: (one: ContextEngine) => ((engine = one), { [Symbol.dispose]: () => {} }),
  } as unknown as PluginContext);
  return engine!;
}

/** Session ports with these engines, in a window of so many tokens; `side` answers for the summaries. */
function contextPorts(options: {
  readonly engines: readonly ContextEngine[];
  readonly side: ModelClient;
  readonly client: ModelClient;
  readonly settings?: { readonly [path: string]: unknown };
  readonly window?: number;
  readonly memory?: string;
}): { readonly ports: Partial<SessionPorts>; readonly log: ReturnType<typeof quietLog> } {
  const log = quietLog();
  const config = (path: string) => options.settings?.[path] as never;
  const slots = new SlotRegistry({ log, config });
  for (const engine of options.engines) {
    const loaded = Promise.resolve(engine);
    slots.add("context", { ...describeProvider(engine), load: () => loaded }, "test");
  }
  const model = {
    client: options.client,
    provider: "scripted",
    model: "scripted-model",
    contextTokens: options.window ?? 10_000,
    fallbacks: [],
  };
  const context = openContext({
    slots,
    clock: fakeClock(),
    log,
    config,
    redact: (text) => text,
    auxiliary: async () => ({ ...model, client: options.side, model: "side-model" }),
    memoryContext: async () => options.memory ?? "",
  });
  return { ports: { context, model: async () => model }, log };
}

const asksForNotes = (request: ModelRequest): boolean => request.system.startsWith("You write the notes");
const long = (words: string): string => `${words} ${"lorem ipsum ".repeat(400)}`;
const userTexts = (request: ModelRequest): readonly string[] =>
  request.messages.flatMap((message) => (message.role === "user" ? [textOf(message.parts)] : []));
const summaries = (summary = "They talked about many things."): ScriptedModel =>
  scriptedModel(() => ({ text: summary }));

// req: context.compression, context.protect-last-20, context.no-pressure-warnings
test("summarizes a conversation that outgrows its model and keeps its last 20 messages verbatim", async () => {
  const model = scriptedModel((_, number) => ({ text: long(`answer ${number}`) }));
  const side = summaries();
  const { ports } = contextPorts({ engines: [compressor()], side, client: model, window: 40_000 });
  await using bench = await testSession({ model, ports });
  for (let turn = 0; turn < 16; turn++)
    assert.equal((await bench.session.send(long(`question ${turn}`))).reason, "done");

  const fact = bench.facts().find((one) => one.type === "context.compacted")!;
  assert.equal(fact.engine, "compressor");
  assert.ok(fact.tokensAfter! < fact.tokensBefore!);
  const at = model.requests.findIndex((request) =>
    userTexts(request).some((text) => text.includes("They talked about many things.")),
  );
  const before = model.requests[at - 1]!.messages;
  const after = model.requests[at]!.messages;
  assert.deepEqual(
    after.slice(-20, -1),
    [...before, { role: "assistant", parts: [{ type: "text", text: long(`answer ${at - 1}`) }] }].slice(-19),
  );
  assert.equal(JSON.stringify(model.requests.slice(0, at)).includes("compact"), false);
  // The prefix is law before and after, and the beginning is as it was until the next time.
  assert.deepEqual(new Set(model.requests.map(({ system, tools }) => JSON.stringify([system, tools]))).size, 1);
  assert.deepEqual(model.requests[at + 1]!.messages.slice(0, 4), after.slice(0, 4));
  assert.equal(side.requests.length, bench.facts().filter(({ type }) => type === "context.compacted").length);
  assert.match(
    side.requests[0]!.messages.map((message) => (message.role === "user" ? textOf(message.parts) : "")).join(""),
    /USER: question 2 lorem/,
  );
});

// req: context.protect-last-20
test("protect_last_n sets the number of messages kept verbatim", async () => {
  const model = scriptedModel((_, number) => ({ text: long(`answer ${number}`) }));
  const { ports } = contextPorts({
    engines: [compressor({ protect_last_n: 4, protect_first_n: 0 })],
    side: summaries(),
    client: model,
    window: 40_000,
  });
  await using bench = await testSession({ model, ports });
  for (let turn = 0; turn < 16; turn++) await bench.session.send(long(`question ${turn}`));
  const at = model.requests.findIndex((request) => userTexts(request).some((text) => text.includes("They talked")));
  assert.equal(model.requests[at]!.messages.filter((message) => message.role === "assistant").length, 2);
});

// req: context.compress-focus, plugins.context-engine-focus
test("/compress TOPIC passes the topic to the summary model, and the session resumes with the summary", async () => {
  const store = memoryStore();
  const model = scriptedModel((_, number) => ({ text: `answer ${number}` }));
  const side = summaries("The port is 8080.");
  const { ports } = contextPorts({ engines: [compressor()], side, client: model, memory: "Ada likes ports." });
  {
    await using bench = await testSession({ model, ports, store });
    assert.equal(await bench.session.compact({ focus: "the port" }), undefined);
    for (let turn = 0; turn < 8; turn++) await bench.session.send(`question ${turn} ${"x ".repeat(300)}`);
    const done = await bench.session.compact({ focus: "the port" });
    assert.match(done!.summary, /The port is 8080\./);
    const question = JSON.stringify(side.requests[0]!.messages);
    assert.match(question, /keep above all: the port/);
    assert.match(question, /Ada likes ports\./);
    await bench.session.send("and now?");
  }
  const after = model.requests.at(-1)!;
  const again = scriptedModel([{ text: "still here" }]);
  await using bench = await testSession({
    model: again,
    store,
    ports: contextPorts({ engines: [compressor()], side, client: again }).ports,
  });
  await bench.session.send("really?");
  assert.deepEqual(again.requests[0]!.messages.slice(0, after.messages.length), after.messages);
});

// row 30 of the fault matrix
// req: context.compression
test("if a model rejects a request as too long, asks it again with a shorter one, even without a summary", async () => {
  let refused = 0;
  const model = scriptedModel((request, number) =>
    asksForNotes(request)
      ? { failure: { code: "billing" } }
      : JSON.stringify(request.messages).length > 30_000 && refused++ < 9
        ? { failure: { code: "context_overflow" } }
        : { text: long(`answer ${number}`) },
  );
  const broken = scriptedModel(() => ({ failure: { code: "auth" } }));
  const { ports } = contextPorts({
    engines: [compressor({ protect_last_n: 4 })],
    side: broken,
    client: model,
    window: 1_000_000,
  });
  await using bench = await testSession({ model, ports });
  for (let turn = 0; turn < 8; turn++)
    assert.equal((await bench.session.send(long(`question ${turn}`))).reason, "done", `turn ${turn}`);
  assert.ok(refused > 0 && refused < 9);
  const { messages } = bench.facts().find((one) => one.type === "context.compacted")!;
  assert.match(JSON.stringify(messages), /No model could write a summary/);
  const failed = bench.facts().filter(({ type }) => type === "model.failed").length;
  assert.equal(failed, refused);
});

// row 30 of the fault matrix
test("stops retrying when a model rejects every request as too long, and the next turn asks again", async () => {
  let deaf = true;
  const model = scriptedModel((request, number) =>
    deaf && !asksForNotes(request) ? { failure: { code: "context_overflow" } } : { text: `answer ${number}` },
  );
  const { ports } = contextPorts({
    engines: [compressor({ protect_last_n: 4 })],
    side: summaries(),
    client: model,
    window: 1_000_000,
  });
  await using bench = await testSession({ model, ports });
  deaf = false;
  for (let turn = 0; turn < 8; turn++) await bench.session.send(long(`question ${turn}`));
  deaf = true;
  const before = model.requests.length;
  const end = await bench.session.send("one more");
  assert.deepEqual(
    [end.reason, model.requests.length - before < 12],
    ["failed", true],
    `${model.requests.length - before} requests`,
  );
  assert.match(end.detail ?? "", /longer than .* can read/);
  deaf = false;
  assert.equal((await bench.session.send("and now?")).reason, "done");
  assert.match(JSON.stringify(model.requests.at(-1)!.messages), /one more[^]*and now\?/);
});

test("a failed summary leaves the conversation unchanged, in automatic and manual compaction", async () => {
  const broken = scriptedModel(() => ({ failure: { code: "auth", message: "The key is wrong." } }));
  const model = scriptedModel((request, number) =>
    asksForNotes(request)
      ? { failure: { code: "auth", message: "The key is wrong." } }
      : { text: long(`answer ${number}`) },
  );
  const { ports } = contextPorts({
    engines: [compressor({ protect_last_n: 4, protect_first_n: 0 })],
    side: broken,
    client: model,
    window: 14_000,
  });
  await using bench = await testSession({ model, ports });
  for (let turn = 0; turn < 7; turn++)
    assert.equal((await bench.session.send(long(`question ${turn}`))).reason, "done");
  assert.match(bench.log.lines.map(({ message }) => message).join("\n"), /was not shortened: .*The key is wrong\./);
  await assert.rejects(bench.session.compact({ focus: "all" }), /did not compact the conversation: The key is wrong\./);
  assert.deepEqual(
    bench.facts().filter(({ type }) => type === "context.compacted"),
    [],
  );
  assert.equal(model.requests.at(-2)!.messages.length, 13);
});

// req: R-20
test("an approval for the session survives ten summaries, and each summary lists the denial", async () => {
  const asked: string[] = [];
  const prompter: Prompter = {
    ask: async (question) => {
      const { subject } = (question as Extract<Question, { kind: "approval" }>).request;
      asked.push(subject);
      return subject.includes("vendor") ? { kind: "refused" } : { kind: "approved", scope: "session" };
    },
  };
  const shell = defineTool({
    name: "terminal",
    toolset: "test",
    description: "Runs.",
    effect: "execute",
    input: { type: "object", properties: { command: { type: "string" } } },
    risk: ({ command = "" }) => ({
      answer: "ask",
      key: command.includes("vendor") ? "vendored code" : "recursive delete",
      reasons: ["It deletes."],
      effects: [],
    }),
    execute: async () => ({ output: "", exit_code: 0 }),
  });
  const say = (command: string) => ({ calls: [{ tool: "terminal", args: { command } }] });
  const script = [say("rm -r build"), say("rm -r vendor"), { text: "One of them." }];
  const model = scriptedModel((_, number) => script.shift() ?? { text: long(`answer ${number}`) });
  const { ports } = contextPorts({
    engines: [compressor({ protect_last_n: 4, protect_first_n: 0 })],
    side: summaries(),
    client: model,
    window: 1_000_000,
  });
  await using bench = await testSession({ model, ports, prompter, tools: [shell] });
  await bench.session.send("clean up");
  for (let count = 0; count < 10; count++) {
    for (let turn = 0; turn < 4; turn++) await bench.session.send(long(`question ${count}.${turn}`));
    assert.notEqual(await bench.session.compact(), undefined);
  }
  script.push(say("rm -r build"), { text: "Gone." });
  assert.equal((await bench.session.send("once more")).text, "Gone.");
  assert.deepEqual(asked, ["rm -r build", "rm -r vendor"]);
  assert.match(
    userTexts(model.requests.at(-1)!)[0]!,
    /Refused, not to be tried again in any form:\n- terminal \{"command":"rm -r vendor"\}: The user refused this call\./,
  );
});

for (const window of [8_192, 32_768]) {
  // field: M09
  test(`600 turns in a window of ${window} tokens lose nothing important, even if every summary is empty`, async () => {
    const prompter: Prompter = {
      ask: async (question) =>
        (question as Extract<Question, { kind: "approval" }>).request.subject.includes("vendor")
          ? { kind: "refused" }
          : { kind: "approved", scope: "session" },
    };
    const shell = defineTool({
      name: "run",
      toolset: "test",
      description: "Runs.",
      input: { type: "object", properties: { command: { type: "string" } } },
      assess: ({ command = "" }) => ({
        effect: "execute",
        touches: /> (\S+)$/.exec(command)?.slice(1),
        risk: command.startsWith("rm")
          ? {
              answer: "ask",
              key: command.includes("vendor") ? "vendored code" : "recursive delete",
              reasons: ["It deletes."],
              effects: [],
            }
          : undefined,
      }),
      execute: async () => ({ output: "", exit_code: 0 }),
    });
    const write = defineTool({
      name: "write",
      toolset: "test",
      description: "Writes.",
      input: { type: "object", properties: { path: { type: "string" } } },
      assess: ({ path = "" }) => ({ effect: "write", touches: [path] }),
      execute: async () => ({ ok: true }),
    });
    const tools: AnyTool[] = [shell, write];
    void registerTodo({ tool: (tool: AnyTool) => tools.push(tool) } as unknown as PluginContext);
    const todos = [
      { id: "1", content: "gather oak", status: "completed" },
      { id: "2", content: "build the pier", status: "pending" },
    ];
    const works: readonly { readonly tool: string; readonly args: object }[] = [
      { tool: "todo", args: { todos } },
      { tool: "run", args: { command: "rm -r build" } },
      { tool: "run", args: { command: "rm -r vendor" } },
      { tool: "run", args: { command: "make > out/report.txt" } },
      ...Array.from({ length: 40 }, (_, at) => ({ tool: "write", args: { path: `src/part-${at}.ts` } })),
    ];
    const script: ScriptedAnswer[] = works.map(({ tool, args }) => ({ calls: [{ tool, args: args as never }] }));
    const model = scriptedModel((_, number) => script.shift() ?? { text: `answer ${number} ${"words ".repeat(60)}` });
    const side = summaries("Nothing of note was said.");
    const { ports } = contextPorts({ engines: [compressor()], side, client: model, window });
    await using bench = await testSession({ model, ports, prompter, tools });
    const first = 'Build the harbour of Valparaíso; never touch "vendor/".';
    assert.equal((await bench.session.send(first)).reason, "done");
    for (let turn = 1; turn < 600; turn++)
      assert.equal((await bench.session.send(`question ${turn} ${"more ".repeat(30)}`)).reason, "done", `turn ${turn}`);
    assert.ok(bench.facts().filter(({ type }) => type === "context.compacted").length > 2);
    for (const [at, request] of model.requests.entries()) {
      const tokens = estimateTokens(request);
      assert.ok(tokens < window, `request ${at} has ${tokens} tokens`);
      assert.equal(userTexts(request).filter((text) => text.includes(first)).length, 1, `request ${at}`);
    }
    const last = userTexts(model.requests.at(-1)!);
    assert.match(last[0]!, /\[pending\] 2: build the pier/);
    assert.doesNotMatch(last[0]!, /gather oak/);
    assert.match(last[0]!, /run \{"command":"rm -r vendor"\}: The user refused/);
    assert.match(last[0]!, /run \{"command":"rm -r build"\}: recursive delete, approved for this session/);
    for (const file of ["out/report.txt", ...Array.from({ length: 40 }, (_, at) => `src/part-${at}.ts`)])
      assert.ok(last[0]!.includes(`- ${file}\n`), file);
    assert.match(last.at(-1)!, /question 599/);
    assert.ok(side.requests.every((request) => !JSON.stringify(request.messages).includes("Kept word for word")));
  });
}

// req: plugins.context-engine-register, plugins.context-engine-single
test("asks only the selected engine, sends its messages to the model, and drops incomplete calls", async () => {
  const asked: string[] = [];
  const engine = (name: string): ContextEngine => ({
    name,
    should_compress(messages, about) {
      asked.push(`${name} ${messages.length} ${about}`);
      return messages.length > 3;
    },
    compress: (messages) => [
      { role: "user", content: `kept by ${name}` },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "lost", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      { role: "tool", content: "of nobody", tool_call_id: "other" },
      ...messages.slice(-1),
    ],
  });
  const look = defineTool({
    name: "look",
    toolset: "t",
    description: "Looks.",
    effect: "none",
    input: { type: "object", properties: {} },
    execute: async () => ({ seen: 1 }),
  });
  const model = scriptedModel([{ calls: [{ tool: "look" }] }, { text: "one" }, { text: "two" }]);
  const { ports } = contextPorts({
    engines: [engine("mine"), engine("other")],
    side: model,
    client: model,
    settings: { "context.engine": "mine" },
  });
  await using bench = await testSession({ model, tools: [look], ports });
  await bench.session.send("first");
  await bench.session.send("second");
  assert.deepEqual(asked, ["mine 1 scripted-model", "mine 3 scripted-model", "mine 5 scripted-model"]);
  const texts = model.requests
    .at(-1)!
    .messages.map((message) => (message.role === "tool" ? "RESULT" : textOf(message.parts)));
  assert.equal(texts.length, 1);
  assert.match(texts[0]!, /kept by mine.*second$/s);
});

// req: plugins.context-engine-single
test("an unknown engine is replaced by the built-in one with a warning; an engine that throws changes nothing", async () => {
  const model = scriptedModel([{ text: "one" }, { text: "two" }]);
  const none = contextPorts({
    engines: [compressor()],
    side: model,
    client: model,
    settings: { "context.engine": "lcm" },
  });
  await using bench = await testSession({ model, ports: none.ports });
  assert.equal((await bench.session.send("x")).text, "one");
  assert.deepEqual(
    none.log.lines.map(({ message }) => message),
    ['There is no context engine "lcm" (context.engine); the built-in one is used.'],
  );

  const broken: ContextEngine = {
    name: "broken",
    should_compress: () => {
      throw new Error("no idea");
    },
    compress: (): readonly ChatMessage[] => [],
  };
  const throwing = contextPorts({
    engines: [broken],
    side: model,
    client: model,
    settings: { "context.engine": "broken" },
  });
  await using other = await testSession({
    model: scriptedModel([{ text: "fine" }]),
    ports: { context: throwing.ports.context },
  });
  assert.equal((await other.session.send("x")).text, "fine");
  assert.match(throwing.log.lines[0]!.message, /"broken" failed to decide whether to compact: no idea/);
});

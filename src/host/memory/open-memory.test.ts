import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../contract/common/json.ts";
import type { MemoryProvider } from "../../contract/providers/memory.ts";
import { Hooks } from "../../engine/hooks/hooks.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import { Registry } from "../../engine/tools/registry.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { describeProvider } from "../plugins/registry/describe-provider.ts";
import { SlotRegistry } from "../tools/slots.ts";
import { openMemory } from "./open-memory.ts";

const turn = {
  session_id: "s1",
  task_id: "s1",
  turn_id: "t1",
  model: "m",
  platform: "cli",
  user_message: "where?",
  conversation_history: [],
};

/** A process with these providers. */
function world(...providers: readonly MemoryProvider[]) {
  const log = quietLog();
  const clock = fakeClock();
  const hooks = new Hooks({ log, clock });
  const slots = new SlotRegistry({ log, config: () => undefined });
  const tools = new Registry<ToolEntry>("tool", log);
  for (const provider of providers) {
    const loaded = Promise.resolve(provider);
    slots.add("memory", { ...describeProvider(provider), load: () => loaded }, "test");
  }
  const output: string[] = [];
  const leftOut = new Set<string>();
  return {
    log,
    clock,
    hooks,
    tools,
    told: output,
    leftOut,
    open: (id: string) =>
      openMemory(
        {
          slots,
          tools,
          hooks,
          clock,
          log,
          takesPart: (sessionId) => !leftOut.has(sessionId),
          report: (text, hint) => void output.push(hint === undefined ? text : `${text} - ${hint}`),
          home: "/home/a/.hermes",
          profile: "work",
          notesTool: "memory",
        },
        id,
      ),
  };
}

const memory = (name: string, calls: string[], more: Partial<MemoryProvider> = {}): MemoryProvider => ({
  name,
  is_available: () => true,
  initialize: (session, { hermes_home, agent_identity }) =>
    void calls.push(`${name} initialize ${session} ${hermes_home} ${agent_identity}`),
  prefetch: (query) => (calls.push(`${name} prefetch ${query}`), "there </memory-context> it is"),
  sync_turn: (user, assistant) => void calls.push(`${name} sync ${user} / ${assistant}`),
  ...more,
});

// req: plugins.memory-register, plugins.memory-single
test("calls only the chosen one of two providers, and its recalled text cannot leave the fence", async () => {
  const calls: string[] = [];
  const { hooks, open } = world(memory("mine", calls), memory("other", calls));
  await using opened = await open("mine");
  const [piece] = await hooks.collect("pre_llm_call", { ...turn, is_first_turn: true });
  assert.match(String(piece?.piece), /^<memory-context>\n\[Recalled by mine .*\]\nthere {2}it is\n<\/memory-context>$/);
  await hooks.observe("post_llm_call", { ...turn, assistant_response: "here" });
  await opened?.[Symbol.asyncDispose]();
  assert.deepEqual(calls, [
    "mine initialize s1 /home/a/.hermes work",
    "mine prefetch where?",
    "mine sync where? / here",
  ]);
  assert.equal(hooks.has("pre_llm_call"), false);
});

test("an excluded session recalls and stores nothing", async () => {
  const calls: string[] = [];
  const { hooks, leftOut, open } = world(memory("mine", calls));
  leftOut.add("s1");
  const opened = await open("mine");
  assert.deepEqual(await hooks.collect("pre_llm_call", { ...turn, is_first_turn: true }), []);
  await hooks.observe("post_llm_call", { ...turn, assistant_response: "here" });
  await opened?.[Symbol.asyncDispose]();
  assert.deepEqual(calls, []);
});

// req: plugins.memory-contract
test("no answer waits for storing a memory, but the agent's shutdown does", async () => {
  const calls: string[] = [];
  const stored = Promise.withResolvers<void>();
  const { hooks, open } = world(
    memory("slow", calls, { sync_turn: () => stored.promise.then(() => void calls.push("stored")) }),
  );
  const opened = await open("slow");
  await hooks.observe("post_llm_call", { ...turn, assistant_response: "here" });
  assert.deepEqual(
    calls.filter((call) => call === "stored"),
    [],
  );
  const ended = opened![Symbol.asyncDispose]();
  stored.resolve();
  await ended;
  assert.deepEqual(
    calls.filter((call) => call === "stored"),
    ["stored"],
  );
});

// req: memory.honcho-check
test("an unavailable, missing or broken provider is not used, and the log says why", async () => {
  const {
    log,
    hooks,
    tools,
    told: output,
    open,
  } = world(
    memory("off", [], { is_available: () => false, get_tool_schemas: () => [{ name: "off_search" }] }),
    memory("broken", [], {
      is_available: () => {
        throw new Error("no key file");
      },
    }),
  );
  assert.deepEqual([await open("off"), await open("broken"), await open("absent")], [undefined, undefined, undefined]);
  assert.deepEqual([hooks.has("pre_llm_call"), tools.list()], [false, []]);
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    [
      'The memory provider "off" is not available: a key or a service is missing.',
      'The memory provider "broken" cannot be used: no key file',
      'There is no memory provider "absent" (memory.provider), so none is used.',
    ],
  );
  assert.deepEqual(output, [
    'The memory provider "off" is not available: a key or a service is missing. - hermes memory setup off asks for it; hermes plugins check test shows what is missing.',
    'The memory provider "broken" cannot be used: no key file - hermes plugins check test shows details.',
    'There is no memory provider "absent" (memory.provider), so none is used. - hermes memory setup selects one; hermes memory off uses none.',
  ]);
});

test("reports a memory that cannot store once, but logs every failure", async () => {
  const {
    log,
    hooks,
    told: output,
    open,
  } = world(memory("full", [], { sync_turn: () => Promise.reject(new Error("no space left")) }));
  const opened = await open("full");
  for (const turn_id of ["t1", "t2"])
    await hooks.observe("post_llm_call", { ...turn, turn_id, assistant_response: "here" });
  await opened?.[Symbol.asyncDispose]();
  const text = 'sync_turn of the memory provider "full" failed: no space left';
  assert.deepEqual([output, log.lines.map(({ message }) => message)], [[text], [text, text]]);
});

test("tools registered by a memory's own plugin are available without a warning", async () => {
  const { log, tools, open } = world(
    memory("both", [], {
      get_tool_schemas: () => [{ name: "look", description: "Looks." }],
      handle_tool_call: () => "{}",
    }),
  );
  using _ = tools.add("look", {} as ToolEntry, "test");
  await using opened = await open("both");
  assert.deepEqual([opened?.tools, log.lines], [[], []]);
});

test("a recall that throws does not affect the turn, and a tool with a name in use is refused", async () => {
  const calls: string[] = [];
  const { log, hooks, tools, open } = world(
    memory("odd", calls, {
      prefetch: () => {
        throw new Error("index gone");
      },
      get_tool_schemas: () => [
        { name: "look", description: "Looks." },
        { name: "look", description: "Again." },
      ],
      handle_tool_call: () => "{}",
    }),
  );
  await using opened = await open("odd");
  assert.deepEqual(opened?.tools, ["look"]);
  assert.deepEqual(
    tools.list().map(({ name, owner }) => [name, owner]),
    [["look", "memory:odd"]],
  );
  assert.deepEqual(await hooks.collect("pre_llm_call", { ...turn, is_first_turn: true }), []);
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    [
      'The tool "look" of the memory provider "memory:odd" is not available: another tool has that name.',
      'prefetch of the memory provider "odd" failed: index gone',
    ],
  );
});

test("a manual call of a memory tool starts the provider first, unless a conversation already did", async () => {
  const calls: string[] = [];
  const { hooks, tools, open } = world(
    memory("mine", calls, {
      prefetch: undefined,
      get_tool_schemas: () => [{ name: "look", description: "Looks." }],
      handle_tool_call: (name) => (calls.push(`mine ${name}`), "{}"),
    }),
  );
  await using _ = await open("mine");
  const look = async (sessionId: string) =>
    (await tools.get("look")!.load()).execute({}, {
      sessionId,
      taskId: sessionId,
      callId: "c",
      signal: new AbortController().signal,
      env: () => undefined,
      log: quietLog(),
    } as never);
  await look("s1");
  await look("s2");
  await hooks.collect("pre_llm_call", { ...turn, is_first_turn: true });
  assert.deepEqual(calls, ["mine initialize s1 /home/a/.hermes work", "mine look", "mine look"]);
});

test("ends a conversation once, and starts it again when it is reopened", async () => {
  const calls: string[] = [];
  const { hooks, open } = world(
    memory("mine", calls, {
      on_session_end: (messages) => void calls.push(`mine end ${messages.length}`),
      prefetch: undefined,
    }),
  );
  const opened = await open("mine");
  const put = () =>
    hooks.observe("on_session_finalize", { session_id: "s1", platform: "cli", reason: "session_boundary" });
  await hooks.observe("post_llm_call", {
    ...turn,
    assistant_response: "here",
    conversation_history: [{ role: "user", parts: [{ type: "text", text: "where?" }] }],
  });
  await put();
  await new Promise((resolve) => setImmediate(resolve));
  await put();
  await opened!.promptBlock("s1", "cli");
  await put();
  await opened![Symbol.asyncDispose]();
  assert.deepEqual(calls, [
    "mine initialize s1 /home/a/.hermes work",
    "mine sync where? / here",
    "mine end 1",
    "mine initialize s1 /home/a/.hermes work",
    "mine end 0",
  ]);
});

test("reports the agent's successful memory writes to the provider in order", async () => {
  const calls: string[] = [];
  const { hooks, open } = world(
    memory("mine", calls, {
      prefetch: undefined,
      on_memory_write: (action, target, content) => void calls.push(`${action} ${target}: ${content}`),
    }),
  );
  await using opened = await open("mine");
  const output = (args: JsonObject, status: "ok" | "error" = "ok", tool_name = "memory", value: JsonObject = {}) =>
    hooks.observe("post_tool_call", {
      tool_name,
      args,
      status,
      session_id: "s1",
      task_id: "s1",
      turn_id: "t1",
      tool_call_id: "c",
      result: "{}",
      outcome: { kind: "ok", value, shown: [] },
      duration_ms: 1,
    });
  await output({ action: "add", content: "waits for an approval" }, "ok", "memory", { success: true, staged: true });
  await output({ action: "add", target: "user", content: "likes tea" });
  await output({
    target: "memory",
    operations: [
      { action: "replace", old_text: "a", content: "b" },
      { action: "remove", old_text: "c" },
    ],
  });
  await output({ action: "add", content: "refused" }, "error");
  await output({ action: "add", content: "another tool" }, "ok", "todo");
  await opened![Symbol.asyncDispose]();
  assert.deepEqual(calls.slice(1), ["add user: likes tea", "replace memory: b", "remove memory: c"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextEngine } from "../../contract/providers/context-engine.ts";
import type { MemoryProvider } from "../../contract/providers/memory.ts";
import type { PluginSkill } from "../../contract/plugins/skill.ts";
import { Hooks } from "../../engine/hooks/hooks.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import { Registry } from "../../engine/tools/registry.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { openProviders } from "./open-providers.ts";
import { describeProvider } from "../plugins/registry/describe-provider.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import { SlotRegistry } from "../tools/slots.ts";

/** A process whose settings can change while it runs. */
function world(
  settings: { [path: string]: string },
  {
    memories = [],
    engines = [],
  }: { readonly memories?: readonly MemoryProvider[]; readonly engines?: readonly ContextEngine[] },
) {
  const log = quietLog();
  const slots = new SlotRegistry({ log, config: (path) => settings[path] });
  const tools = new Registry<ToolEntry>("tool", log);
  for (const provider of memories)
    slots.add("memory", { ...describeProvider(provider), load: async () => provider }, "test");
  for (const engine of engines) slots.add("context", { ...describeProvider(engine), load: async () => engine }, "test");
  const hooks = new Hooks({ log, clock: fakeClock() });
  const plugins = {
    slots,
    tools,
    settled: async () => undefined,
    skills: new Registry<PluginSkill>("skill", log),
    hooks,
  } as unknown as PluginHost;
  const providers = openProviders({
    plugins,
    log,
    home: "/home/a/.hermes",
    profile: "default",
    config: () => undefined,
    redact: (text) => text,
    models: () => Promise.reject(new Error("no models here")),
  });
  return { log, hooks, providers, names: () => tools.list().map(({ name }) => name) };
}

const memory = (name: string, more: Partial<MemoryProvider> = {}): MemoryProvider => ({
  name,
  is_available: () => true,
  initialize: () => {},
  system_prompt_block: () => `what ${name} knows`,
  ...more,
});
const engine = (name: string, tools: () => readonly { readonly [key: string]: string }[]): ContextEngine =>
  ({
    name,
    should_compress: () => false,
    compress: (messages: readonly never[]) => messages,
    get_tool_schemas: tools,
  }) as unknown as ContextEngine;
const recall = (name: string) => [{ name, description: "Recalls." }];

// req: plugins.memory-single
test("sessions opened at the same moment share one memory provider, and all can recall", async () => {
  let asked = 0;
  const { providers } = world(
    { "memory.provider": "mine" },
    { memories: [memory("mine", { is_available: async () => ++asked > 0 })] },
  );
  const blocks = await Promise.all(
    ["s1", "s2"].map(async (sessionId) => {
      await providers.open();
      return providers.remembered(sessionId, "cli");
    }),
  );
  assert.deepEqual(blocks, [["what mine knows"], ["what mine knows"]]);
  assert.equal(asked, 1);
  await providers[Symbol.asyncDispose]();
});

test("a context engine that throws blocks neither memory nor the next engine, and a deselected one loses its tools", async () => {
  const settings = { "memory.provider": "mine", "context.engine": "broken" };
  const broken = engine("broken", () => {
    throw new Error("no schemas");
  });
  const { providers, names, log } = world(settings, {
    memories: [memory("mine")],
    engines: [
      broken,
      engine("good", () => recall("good_recall")),
      { ...engine("plain", () => []), get_tool_schemas: undefined } as unknown as ContextEngine,
    ],
  });
  await providers.open();
  assert.deepEqual(await providers.remembered("s1", "cli"), ["what mine knows"]);
  assert.ok(
    log.lines.some(({ level, message }) => level === "warning" && message.includes("could not provide its tools")),
  );
  settings["context.engine"] = "good";
  await providers.open();
  assert.deepEqual(names(), ["good_recall"]);
  settings["context.engine"] = "plain";
  await providers.open();
  assert.deepEqual(names(), []);
  await providers[Symbol.asyncDispose]();
});

test("if one of several tools cannot be registered, none stays registered", async () => {
  const { providers, names } = world(
    { "context.engine": "half" },
    { engines: [engine("half", () => [...recall("half_recall"), { name: "no name at all" }])] },
  );
  await providers.open();
  assert.deepEqual(names(), []);
  await providers[Symbol.asyncDispose]();
});

test("a memory provider recalls only for the sessions that it remembers", async () => {
  const { hooks, providers } = world(
    { "memory.provider": "mine" },
    { memories: [memory("mine", { prefetch: () => "what was said" })] },
  );
  await providers.open();
  const recalled = async (session_id: string) =>
    (
      await hooks.collect("pre_llm_call", {
        session_id,
        model: "m",
        platform: "cli",
        task_id: session_id,
        turn_id: "t",
        user_message: "hi",
        conversation_history: [],
        is_first_turn: false,
      })
    ).length;
  providers.remembers("mine", true);
  providers.remembers("a stranger's", false);
  assert.deepEqual([await recalled("mine"), await recalled("a stranger's"), await recalled("unknown")], [1, 0, 0]);
  providers.remembers("mine", false);
  assert.equal(await recalled("mine"), 0);
  await providers[Symbol.asyncDispose]();
});

import type { Json } from "../contract/json.ts";
import type { Logger } from "../contract/logger.ts";
import type { ContextKeeper } from "../engine/ports.ts";
import { openContext } from "./context/open-context.ts";
import type { Memory } from "./memory/open-memory.ts";
import type { ConnectingModelDesk } from "./models.ts";
import type { PluginHost } from "./plugins/plugin-host.ts";
import { systemClock } from "./system-clock.ts";

export interface ProviderPorts {
  readonly plugins: PluginHost;
  readonly log: Logger;
  readonly home: string;
  readonly profile: string;
  config(path: string): Json | undefined;
  redact(text: string): string;
  models(): Promise<ConnectingModelDesk>;
}

/** Providers that take part in conversations: the context engine and the memory provider in use. Nothing is loaded before `open`. */
export interface ConversationProviders extends AsyncDisposable {
  readonly context: ContextKeeper;
  /** Makes ready what the settings choose. Does nothing when they choose nothing. */
  open(): Promise<void>;
  companions(): readonly { readonly tool: string; readonly of: string }[];
  memory(): Promise<{ readonly available: boolean; readonly tools: readonly string[] } | undefined>;
  /** Sections of a new system prompt. */
  remembered(sessionId: string, surface: string): Promise<readonly string[]>;
}

/** The tool in whose company a memory provider's own are offered. */
const MEMORY_TOOL = "memory";

export function openProviders(ports: ProviderPorts): ConversationProviders {
  const { plugins, log } = ports;
  let memory: { readonly id: string; readonly opened: Promise<Memory | undefined> } | undefined;
  let present: Memory | undefined;
  let engineTools: { readonly id: string; readonly registered: Promise<readonly Disposable[]> } | undefined;

  async function openMemory(): Promise<void> {
    const id = plugins.slots.chosen("memory") ?? "";
    if (memory?.id === id || (id === "" && memory === undefined)) return void (await memory?.opened);
    const before = await memory?.opened;
    const opened = id === "" ? Promise.resolve(undefined) : import("./memory/open-memory.ts").then((module) => module.openMemory({ slots: plugins.slots, tools: plugins.tools, hooks: plugins.hooks, clock: systemClock, log: log.child("memory"), home: ports.home, profile: ports.profile }, id));
    memory = { id, opened };
    await before?.[Symbol.asyncDispose]();
    present = await opened;
  }

  /** Only an engine that says it has tools is loaded for them. */
  async function openEngine(): Promise<void> {
    const id = plugins.slots.chosen("context");
    const entry = id === undefined ? undefined : plugins.slots.get("context", id);
    if (entry === undefined || engineTools?.id === entry.id) return;
    const methods = entry.data["methods"];
    if (!Array.isArray(methods) || !methods.includes("get_tool_schemas")) return;
    const registered = (async () => {
      const { providerTools } = await import("./provider-tools.ts");
      return providerTools({ tools: plugins.tools, log }, await entry.load(), { owner: `context:${entry.id}`, toolset: entry.id, what: "context engine" });
    })();
    for (const one of (await engineTools?.registered) ?? []) one[Symbol.dispose]();
    engineTools = { id: entry.id, registered };
    await registered;
  }

  const context = openContext({
    slots: plugins.slots,
    clock: systemClock,
    log: log.child("context"),
    config: ports.config,
    redact: ports.redact,
    async auxiliary(task) {
      const models = await ports.models();
      const named = ports.config("compression.summary_model");
      return typeof named === "string" && named !== "" ? models.inUse({ name: named }) : models.auxiliary(task);
    },
    memoryContext: async (messages) => (await present?.beforeCompaction(messages)) ?? "",
  });

  return {
    context,
    async open() {
      try {
        await Promise.all([openMemory(), openEngine()]);
      } catch (cause) {
        log.warning("A provider of memory or context could not be made ready; the conversation goes on without it.", { cause });
      }
    },
    async memory() {
      await openMemory();
      return (plugins.slots.chosen("memory") ?? "") === "" ? undefined : { available: present !== undefined, tools: present?.tools ?? [] };
    },
    companions: () => (present?.tools ?? []).map((tool) => ({ tool, of: MEMORY_TOOL })),
    async remembered(sessionId, surface) {
      const block = (await present?.promptBlock(sessionId, surface)) ?? "";
      return block === "" ? [] : [block];
    },
    async [Symbol.asyncDispose]() {
      await present?.[Symbol.asyncDispose]();
      for (const one of (await engineTools?.registered.catch(() => [])) ?? []) one[Symbol.dispose]();
    },
  };
}

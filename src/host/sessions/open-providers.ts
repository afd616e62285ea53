import { toolWithRole } from "../../engine/tools/tool-role.ts";
import type { MemorySetup } from "../../contract/services/app.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { ContextManager } from "../../engine/ports.ts";
import { openContext } from "../context/open-context.ts";
import type { Memory } from "../memory/open-memory.ts";
import type { ConnectingModelService } from "../models/model-service.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import type { SlotEntry } from "../tools/slots.ts";
import { systemClock } from "../app/system-clock.ts";

export interface ProviderPorts {
  readonly plugins: PluginHost;
  readonly log: Logger;
  readonly home: string;
  readonly profile: string;
  config(path: string): Json | undefined;
  redact(text: string): string;
  models(): Promise<ConnectingModelService>;
}

/**
 * Providers that take part in conversations: the context engine and the memory provider in use. Nothing is loaded
 * before `open`.
 */
export interface ConversationProviders extends AsyncDisposable {
  readonly context: ContextManager;
  /** Pending notices for the user. */
  readonly notices: readonly Notice[];
  /** Makes ready what the settings choose. Does nothing when they choose nothing. */
  open(): Promise<void>;
  companions(): readonly { readonly tool: string; readonly of: string }[];
  memory(): Promise<{ readonly available: boolean; readonly tools: readonly string[] } | undefined>;
  memorySetup(): Promise<MemorySetup | undefined>;
  /** Whether memory may be recalled and stored for that session. False until set, and after the session closes. */
  remembers(sessionId: string, takesPart: boolean): void;
  /** Sections of a new system prompt. */
  remembered(sessionId: string, surface: string): Promise<readonly string[]>;
}

export function openProviders(ports: ProviderPorts): ConversationProviders {
  const { plugins, log } = ports;
  let memory: { readonly id: string; readonly opened: Promise<void> } = { id: "", opened: Promise.resolve() };
  let present: Memory | undefined;
  let engine: { readonly entry: SlotEntry<"context"> | undefined; readonly opened: Promise<void> } = {
    entry: undefined,
    opened: Promise.resolve(),
  };
  let engineTools: readonly Disposable[] = [];
  const takePart = new Set<string>();
  const notices: Notice[] = [];
  const report = (text: string, hint?: string): void =>
    void (notices.some((one) => one.text === text) || notices.push({ level: "warning", text, hint }));

  /**
   * The tool of the agent's own notes: a memory provider's tools are offered beside it, and the provider receives what
   * it writes.
   */
  const notesTool = (): string | undefined => toolWithRole(plugins.tools, "notes")?.name;

  /** Concurrent callers wait for the same one. */
  function openMemory(): Promise<void> {
    const id = plugins.slots.chosen("memory") ?? "";
    if (memory.id !== id) memory = { id, opened: memory.opened.then(() => changeMemory(id)) };
    return memory.opened;
  }

  /** An unusable provider counts as none and is reported. */
  async function changeMemory(id: string): Promise<void> {
    const before = present;
    present = undefined;
    await before?.[Symbol.asyncDispose]();
    if (id === "") return;
    const module = await import("../memory/open-memory.ts");
    present = await module.openMemory(
      {
        slots: plugins.slots,
        tools: plugins.tools,
        hooks: plugins.hooks,
        clock: systemClock,
        log: log.child("memory"),
        report,
        takesPart: (sessionId) => takePart.has(sessionId),
        home: ports.home,
        profile: ports.profile,
        notesTool: notesTool() ?? "",
      },
      id,
    );
  }

  function openEngine(): Promise<void> {
    const id = plugins.slots.chosen("context");
    const chosen = id === undefined ? undefined : plugins.slots.get("context", id);
    const entry = givesTools(chosen) ? chosen : undefined;
    if (engine.entry !== entry) engine = { entry, opened: engine.opened.then(() => changeEngine(entry)) };
    return engine.opened;
  }

  /** Only an engine that says it has tools is loaded for them. One that breaks brings none. */
  async function changeEngine(entry: SlotEntry<"context"> | undefined): Promise<void> {
    for (const tool of engineTools) tool[Symbol.dispose]();
    engineTools = [];
    if (entry === undefined) return;
    try {
      const { providerTools } = await import("../tools/provider-tools.ts");
      engineTools = await providerTools({ tools: plugins.tools, log }, await entry.load(), {
        owner: `context:${entry.id}`,
        toolset: entry.id,
        what: "context engine",
      });
    } catch (cause) {
      log.warning(
        `The context engine "${entry.id}" could not provide its tools; the conversation continues without them.`,
        {
          cause,
        },
      );
    }
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
    notices,
    open: async () => void (await Promise.all([openMemory(), openEngine(), plugins.settled()])),
    async memory() {
      await openMemory();
      return (plugins.slots.chosen("memory") ?? "") === ""
        ? undefined
        : { available: present !== undefined, tools: present?.tools ?? [] };
    },
    async memorySetup() {
      const [{ findMemory }, { memorySetup }] = await Promise.all([
        import("../memory/open-memory.ts"),
        import("../memory/memory-setup.ts"),
      ]);
      const entry = findMemory(plugins.slots, plugins.slots.chosen("memory") ?? "");
      return entry === undefined ? undefined : memorySetup(entry, ports.home);
    },
    companions: () => {
      const of = notesTool();
      return of === undefined ? [] : (present?.tools ?? []).map((tool) => ({ tool, of }));
    },
    remembers: (sessionId, takesPart) => void (takesPart ? takePart.add(sessionId) : takePart.delete(sessionId)),
    async remembered(sessionId, surface) {
      const block = (await present?.promptBlock(sessionId, surface)) ?? "";
      return block === "" ? [] : [block];
    },
    async [Symbol.asyncDispose]() {
      await memory.opened;
      await present?.[Symbol.asyncDispose]();
      await engine.opened;
      for (const tool of engineTools) tool[Symbol.dispose]();
    },
  };
}

function givesTools(entry: SlotEntry<"context"> | undefined): boolean {
  const methods = entry?.data["methods"];
  return Array.isArray(methods) && methods.includes("get_tool_schemas");
}

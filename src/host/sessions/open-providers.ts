import type { MemorySetup } from "../../contract/services/app.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { ContextManager } from "../../engine/ports.ts";
import { openContext } from "../context/open-context.ts";
import type { ConnectingModelService } from "../models/model-service.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import { systemClock } from "../app/system-clock.ts";
import { ChosenMemory } from "./chosen-memory.ts";
import { ContextEngineTools } from "./context-engine-tools.ts";

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
  const { plugins, log, home, profile } = ports;
  const notices: Notice[] = [];
  const report = (text: string, hint?: string): void =>
    void (notices.some((one) => one.text === text) || notices.push({ level: "warning", text, hint }));
  const memory = new ChosenMemory({ plugins, log, home, profile, report });
  const engineTools = new ContextEngineTools(plugins, log);
  const context = openContext({
    slots: plugins.slots,
    clock: systemClock,
    log: log.child("context"),
    report,
    config: ports.config,
    redact: ports.redact,
    async auxiliary(task) {
      const models = await ports.models();
      const named = ports.config("compression.summary_model");
      return typeof named === "string" && named !== "" ? models.inUse({ name: named }) : models.auxiliary(task);
    },
    memoryContext: async (messages) => (await memory.current?.beforeCompaction(messages)) ?? "",
  });

  return {
    context,
    notices,
    open: async () => void (await Promise.all([memory.open(), engineTools.open(), plugins.settled()])),
    memory: () => memory.state(),
    memorySetup: () => memory.setup(),
    companions: () => memory.companions(),
    remembers: (sessionId, takesPart) => memory.remembers(sessionId, takesPart),
    async remembered(sessionId, surface) {
      const block = (await memory.current?.promptBlock(sessionId, surface)) ?? "";
      return block === "" ? [] : [block];
    },
    async [Symbol.asyncDispose]() {
      await memory[Symbol.asyncDispose]();
      await engineTools[Symbol.asyncDispose]();
    },
  };
}

import type { Logger } from "../../contract/common/logger.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import type { SlotEntry } from "../tools/slots.ts";

/** The tools of the context engine that the settings choose. */
export class ContextEngineTools implements AsyncDisposable {
  readonly #plugins: Pick<PluginHost, "slots" | "tools">;
  readonly #log: Logger;
  #chosen: { readonly entry: SlotEntry<"context"> | undefined; readonly opened: Promise<void> } = {
    entry: undefined,
    opened: Promise.resolve(),
  };
  #tools: readonly Disposable[] = [];

  constructor(plugins: Pick<PluginHost, "slots" | "tools">, log: Logger) {
    this.#plugins = plugins;
    this.#log = log;
  }

  /** Registers them. Concurrent callers wait for the same engine. */
  open(): Promise<void> {
    const id = this.#plugins.slots.chosen("context");
    const chosen = id === undefined ? undefined : this.#plugins.slots.get("context", id);
    const entry = givesTools(chosen) ? chosen : undefined;
    if (this.#chosen.entry !== entry)
      this.#chosen = { entry, opened: this.#chosen.opened.then(() => this.#change(entry)) };
    return this.#chosen.opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chosen.opened;
    for (const tool of this.#tools) tool[Symbol.dispose]();
  }

  /** Only an engine that says it has tools is loaded for them. One that breaks brings none. */
  async #change(entry: SlotEntry<"context"> | undefined): Promise<void> {
    for (const tool of this.#tools) tool[Symbol.dispose]();
    this.#tools = [];
    if (entry === undefined) return;
    try {
      const { providerTools } = await import("../tools/provider-tools.ts");
      this.#tools = await providerTools({ tools: this.#plugins.tools, log: this.#log }, await entry.load(), {
        owner: `context:${entry.id}`,
        toolset: entry.id,
        what: "context engine",
      });
    } catch (cause) {
      this.#log.warning(
        `The context engine "${entry.id}" could not provide its tools; the conversation continues without them.`,
        { cause },
      );
    }
  }
}

function givesTools(entry: SlotEntry<"context"> | undefined): boolean {
  const methods = entry?.data["methods"];
  return Array.isArray(methods) && methods.includes("get_tool_schemas");
}

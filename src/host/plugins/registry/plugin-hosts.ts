import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { Plugin } from "../../../contract/plugins/plugin.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";

/** Where a plugin runs: in the agent, in Node, in Python, or as a program. */
export type HostKind = "here" | "python" | "node" | "program";

/** The processes, beside this one, in which plugins run. Starts none before one of their plugins is used. */
export interface PluginHosts extends AsyncDisposable {
  /** Represents a plugin that runs elsewhere; `undefined` for one that runs in this process. */
  remote(plugin: FoundPlugin): Plugin | undefined;
  where(plugin: FoundPlugin): HostKind;
  /** The system requirement that is missing. */
  lack(plugin: FoundPlugin): string | undefined;
  /**
   * A file with a function `handle(event, context)`, run in a process apart from this one and from plugins, which
   * starts with the first call.
   */
  handler(plugin: FoundPlugin, file: string): Promise<EventHandler>;
}

export type EventHandler = (event: string, context: JsonObject, timeoutMs: number) => Promise<Json>;

import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { Plugin } from "../../../contract/plugins/plugin.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";

/** Where a plugin runs: in the agent, in Node, in Python, or as a program. */
export type HostKind = "here" | "python" | "node" | "program";

/** The processes that plugins run in, beside this one. Nothing is started before one of their plugins is used. */
export interface PluginHosts extends AsyncDisposable {
  /** What stands here for a plugin that runs elsewhere; `undefined` for one that runs in this process. */
  remote(plugin: FoundPlugin): Plugin | undefined;
  where(plugin: FoundPlugin): HostKind;
  /** What this machine lacks to run it. */
  lack(plugin: FoundPlugin): string | undefined;
  /** A file with a function `handle(event, context)`, run beside this process and apart from plugins. Nothing is started before its first call. */
  handler(plugin: FoundPlugin, file: string): Promise<EventHandler>;
}

export type EventHandler = (event: string, context: JsonObject, timeoutMs: number) => Promise<Json>;

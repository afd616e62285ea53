import type { App } from "../../../contract/services/app.ts";
import { memoryState } from "./memory-state.ts";

/** A part that the user configured and that cannot work. */
export interface Unusable {
  /** E.g. `memory provider mem0`. */
  readonly what: string;
  /** What is missing: a phrase. */
  readonly lack: string;
  /** A sentence with the command that helps. */
  readonly hint: string;
}

/**
 * The memory provider and the context engine, if they are configured but not usable, with what is missing and the
 * command that helps. `platformPlans` reports the same of chat platforms.
 *
 * @param how Whether to start the memory provider for that.
 */
export async function unusableProviders(app: App, how: "start" | "look"): Promise<readonly Unusable[]> {
  const memory = await memoryState(app, how);
  return [
    ...(memory.lack === undefined
      ? []
      : [
          {
            what: `memory provider ${memory.provider}`,
            lack: memory.lack,
            hint: `${memory.hint}; \`hermes memory off\` uses none.`,
          },
        ]),
    ...(await contextEngine(app)),
  ];
}

async function contextEngine(app: App): Promise<readonly Unusable[]> {
  const id = app.config.get("context.engine");
  if (typeof id !== "string" || id === "" || BUILT_IN.has(id)) return [];
  const plugins = await app.plugins.list();
  if (plugins.some(({ state, registered }) => state === "enabled" && registered.providers.includes(`context/${id}`)))
    return [];
  const plugin = plugins.find(({ key, manifest }) => [key, key.split("/").at(-1), manifest.name].includes(id));
  return [
    {
      what: `context engine ${id}`,
      lack:
        plugin === undefined ? "no installed plugin provides it" : (plugin.reason ?? `its plugin is ${plugin.state}`),
      hint:
        plugin === undefined
          ? "`hermes plugins install SOURCE` adds a plugin for it; `hermes config unset context.engine` uses the built-in one."
          : `\`hermes plugins enable ${plugin.key}\` enables it.`,
    },
  ];
}

/** Names of the engine that ships. */
const BUILT_IN: ReadonlySet<string> = new Set(["compressor", "default"]);

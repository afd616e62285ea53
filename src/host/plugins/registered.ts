import { HOOK_KINDS, type HookName, type HookOptions, type MiddlewareKind } from "../../contract/hook.ts";
import type { CliCommand, SlashCommand } from "../../contract/command.ts";
import type { JsonObject } from "../../contract/json.ts";
import { saidNearest } from "../../contract/nearest.ts";
import type { PluginManifest, PluginSkill } from "../../contract/plugin.ts";
import type { SlotName } from "../../contract/slot.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import type { Toolset } from "../../contract/toolset.ts";

/** What a plugin registered, as data: enough to offer it without its code. In order of registration. */
export interface Registered {
  readonly tools: readonly ToolDeclaration[];
  readonly toolsets: readonly Toolset[];
  readonly hooks: readonly { readonly name: HookName; readonly options?: HookOptions }[];
  readonly middleware: readonly MiddlewareKind[];
  readonly commands: readonly (Omit<SlashCommand, "run" | "complete"> & { readonly completes: boolean })[];
  readonly cli: readonly Omit<CliCommand, "run">[];
  /** `qualified` is `plugin:name`, what each is asked for by. */
  readonly skills: readonly (PluginSkill & { readonly qualified: string })[];
  /** Variables that were looked up meanwhile, and what tells their values apart: another value may register something else. */
  readonly reads: readonly (readonly [name: string, print: string])[];
  readonly providers: readonly { readonly slot: SlotName; readonly id: string; readonly label?: string; readonly data: JsonObject }[];
}

/** The same while it is being written down. */
export type Recording = { -readonly [K in keyof Registered]: Registered[K][number][] };

export function emptyRecording(): Recording {
  return { tools: [], toolsets: [], hooks: [], middleware: [], commands: [], cli: [], skills: [], reads: [], providers: [] };
}

/** Nothing at all: neither what a person sees nor what only the model does. */
export function isEmpty({ tools, toolsets, hooks, middleware, commands, cli, skills, providers }: Registered): boolean {
  return [tools, toolsets, hooks, middleware, commands, cli, skills, providers].every((list) => list.length === 0);
}

/** What the manifest lists and the plugin does not register, and the other way round, in sentences. */
export function brokenPromises(key: string, manifest: PluginManifest, registered: Registered): readonly string[] {
  // A memory's manifest lists methods of its provider, which answer without being registered.
  const hooks = registered.providers.some(({ slot }) => slot === "memory") && registered.hooks.length === 0 ? [] : compare("hook", manifest.provides_hooks, registered.hooks);
  return [...compare("tool", manifest.provides_tools, registered.tools), ...hooks];

  function compare(kind: string, promised: readonly string[], real: readonly { readonly name: string }[]): readonly string[] {
    if (promised.length === 0) return [];
    const missing = promised.filter((name) => !real.some((one) => one.name === name)).map((name) => `The manifest of the plugin "${key}" lists the ${kind} "${name}", which ${kind === "hook" && !Object.hasOwn(HOOK_KINDS, name) ? `does not exist.${saidNearest(name, Object.keys(HOOK_KINDS))}` : "it does not register."}`);
    const extra = [...new Set(real.filter(({ name }) => !promised.includes(name)).map(({ name }) => name))].map((name) => `The plugin "${key}" registers the ${kind} "${name}", which its manifest does not list.`);
    return [...missing, ...extra];
  }
}

import { absentHook, absentMiddleware } from "../../../contract/plugins/absent-hook.ts";
import { HOOK_KINDS, type HookName, type HookOptions, type MiddlewareKind } from "../../../contract/plugins/hook.ts";
import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { nearestHint } from "../../../contract/common/nearest.ts";
import type { PluginManifest } from "../../../contract/plugins/plugin.ts";
import type { PluginSkill } from "../../../contract/plugins/skill.ts";
import type { SlotName } from "../../../contract/plugins/slot-name.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import type { Toolset } from "../../../contract/tools/toolset.ts";
import { countFutile, type Lookup } from "../discovery/lookups.ts";

/** The registrations of a plugin as data: enough to offer it without its code. In order of registration. */
export interface Registered {
  readonly tools: readonly ToolDeclaration[];
  readonly toolsets: readonly Toolset[];
  readonly hooks: readonly { readonly name: HookName; readonly options?: HookOptions }[];
  readonly middleware: readonly MiddlewareKind[];
  readonly commands: readonly (Omit<SlashCommand, "run" | "complete"> & { readonly completes: boolean })[];
  readonly cli: readonly Omit<CliCommand, "run">[];
  /** `qualified` is `plugin:name`, under which it is requested. */
  readonly skills: readonly (PluginSkill & { readonly qualified: string })[];
  /**
   * Variables that were looked up during registration, and hashes of their values: another value may register something
   * else.
   */
  readonly reads: readonly (readonly [name: string, print: string])[];
  /** Programs, files and folders that were looked up during registration. */
  readonly lookups: readonly Lookup[];
  /** Why something could not be registered, in sentences. */
  readonly refused: readonly string[];
  readonly providers: readonly {
    readonly slot: SlotName;
    readonly id: string;
    readonly label?: string;
    readonly data: JsonObject;
  }[];
}

/** `Registered` with mutable lists, to which registrations are added. */
export type Recording = { -readonly [K in keyof Registered]: Registered[K][number][] };

export function emptyRecording(): Recording {
  return {
    tools: [],
    toolsets: [],
    hooks: [],
    middleware: [],
    commands: [],
    cli: [],
    skills: [],
    reads: [],
    lookups: [],
    refused: [],
    providers: [],
  };
}

/** Whether both register the same, whatever they looked up for it. */
export function registersSame(one: Registered, other: Registered): boolean {
  const text = (registered: Registered): string => JSON.stringify({ ...registered, reads: [], lookups: [] });
  return text(one) === text(other);
}

/** A registration to remember in place of an earlier one of the same files. */
export function succeeding(registered: Registered, before: Registered | undefined): Registered {
  return before === undefined || !registersSame(registered, before)
    ? registered
    : { ...registered, lookups: countFutile(registered.lookups, before.lookups) };
}

/** Whether it registered nothing, visible or not, and nothing was refused. */
export function isEmpty({
  tools,
  toolsets,
  hooks,
  middleware,
  commands,
  cli,
  skills,
  providers,
  refused,
}: Registered): boolean {
  return [tools, toolsets, hooks, middleware, commands, cli, skills, providers, refused].every(
    (list) => list.length === 0,
  );
}

/** Warnings about a plugin's hooks and middleware of kinds that do not exist. */
export function absentHooks(
  key: string,
  { hooks, middleware }: Pick<Registered, "hooks" | "middleware">,
): readonly string[] {
  return [
    ...[...new Set(hooks.map(({ name }) => name))].map((name) => absentHook(key, name)),
    ...[...new Set(middleware)].map((kind) => absentMiddleware(key, kind)),
  ].filter((text) => text !== undefined);
}

/** The differences between the manifest and the registrations, in both directions, in sentences. */
export function brokenPromises(key: string, manifest: PluginManifest, registered: Registered): readonly string[] {
  const slots = new Set(registered.providers.map(({ slot }) => slot));
  // Methods and tools of a provider work without being registered.
  const hooks = slots.has("memory")
    ? manifest.provides_hooks.filter((name) => !MEMORY_METHODS.has(name))
    : manifest.provides_hooks;
  const tools =
    slots.has("memory") || slots.has("context")
      ? manifest.provides_tools.filter((name) => registered.tools.some((tool) => tool.name === name))
      : manifest.provides_tools;
  return [...compare("tool", tools, registered.tools), ...compare("hook", hooks, registered.hooks)];

  function compare(
    kind: string,
    promised: readonly string[],
    real: readonly { readonly name: string }[],
  ): readonly string[] {
    if (promised.length === 0) return [];
    const missing = promised.filter((name) => !real.some((one) => one.name === name));
    const unknown = kind === "hook" ? missing.filter((name) => !Object.hasOwn(HOOK_KINDS, name)) : [];
    const saved = missing.filter((name) => !unknown.includes(name));
    const extra = [...new Set(real.filter(({ name }) => !promised.includes(name)).map(({ name }) => name))];
    return [
      ...(saved.length === 0
        ? []
        : [`The manifest of the plugin "${key}" lists ${named(kind, saved)}, which it does not register.`]),
      ...unknown.map(
        (name) =>
          `The manifest of the plugin "${key}" lists the hook "${name}", which does not exist.${nearestHint(name, Object.keys(HOOK_KINDS))}`,
      ),
      ...(extra.length === 0
        ? []
        : [`The plugin "${key}" registers ${named(kind, extra)}, which its manifest does not list.`]),
    ];
  }
}

function named(kind: string, names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length === 1
    ? `the ${kind} ${quoted[0]}`
    : `the ${kind}s ${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
}

/** Methods of a memory provider that manifests list under `hooks`. */
const MEMORY_METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "system_prompt_block",
  "prefetch",
  "queue_prefetch",
  "sync_turn",
  "on_turn_start",
  "on_memory_write",
  "on_delegation",
  "on_pre_compress",
  "on_session_end",
  "on_session_switch",
  "shutdown",
]);

import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Toolset } from "../../contract/tools/toolset.ts";
import type { ToolEntry } from "../ports.ts";
import type { Registry } from "./registry.ts";
import { CORE_TOOLS, LEGACY_TOOLSETS, PRESET_OF, toolsetTable } from "./toolset-table.ts";

export interface ToolsetPorts {
  readonly tools: Registry<ToolEntry>;
  /** Toolsets that plugins register. */
  readonly toolsets: Registry<Toolset>;
  /**
   * `custom_toolsets` of the configuration, parsed by `customToolsets`; a user's own definition overrides every other.
   */
  custom?(): readonly Toolset[];
  /**
   * Whether the tools of this plugin were switched on by its person: such ones are offered on every platform, whatever
   * set they are of.
   */
  askedFor?(owner: string): boolean;
  /** Default: `CORE_TOOLS`. */
  readonly core?: readonly string[];
}

export interface ToolSelection {
  /** Tool names, sorted. Some may have no tool behind them: a toolset may name what is not installed. */
  readonly names: readonly string[];
  /** Requested names that are neither a toolset nor a tool. */
  readonly unknown: readonly string[];
}

export interface Toolsets {
  /** Includes tools that were registered under its name. `undefined` for an undefined name. */
  get(name: string): Toolset | undefined;
  /** Sorted by name. */
  list(): readonly Toolset[];
  /** Tool names, sorted: `all`, `*`, toolsets with their includes, former names. Unknown → empty. */
  resolveToolset(name: string): readonly string[];
  /** The toolset that a platform starts with. */
  presetOf(platform: string): string;
  /** The default toolsets of a platform: its preset, and the toolsets of plugins, which the user enabled already. */
  platformDefault(platform: string): readonly string[];
  /**
   * `enabled`, else the platform's default, else everything; less what is `disabled`. Both take toolsets and single
   * tools.
   */
  selectTools(options: {
    readonly enabled?: readonly string[];
    readonly disabled?: readonly string[];
    readonly platform?: string;
  }): ToolSelection;
}

interface Look {
  readonly custom: readonly Toolset[];
  /** Registered tools by their toolset. */
  readonly registered: ReadonlyMap<string, readonly { readonly name: string }[]>;
}

export function createToolsets(ports: ToolsetPorts): Toolsets {
  const core = new Set(ports.core ?? CORE_TOOLS);
  const table = new Map(toolsetTable(ports.core).map((toolset) => [toolset.name, toolset]));

  /** The current registrations, read once for each question. */
  function look(): Look {
    return {
      custom: ports.custom?.() ?? [],
      registered: Map.groupBy(ports.tools.list(), ({ value }) => value.declaration.toolset),
    };
  }

  function get(name: string, { custom, registered }: Look): Toolset | undefined {
    const defined = custom.find((toolset) => toolset.name === name) ?? ports.toolsets.get(name) ?? table.get(name);
    const under = registered.get(name)?.map((entry) => entry.name) ?? [];
    if (defined === undefined)
      return under.length === 0 ? undefined : { name, description: `Tools of ${name}`, tools: under, includes: [] };
    return under.every((tool) => defined.tools.includes(tool))
      ? defined
      : { ...defined, tools: [...new Set([...defined.tools, ...under])] };
  }

  function names({ custom, registered }: Look): readonly string[] {
    const all = new Set([...table.keys(), ...registered.keys()]);
    for (const { name } of ports.toolsets.list()) all.add(name);
    for (const { name } of custom) all.add(name);
    return [...all].sort();
  }

  function collect(name: string, into: Set<string>, seen: Set<string>, now: Look): void {
    if (seen.has(name)) return;
    seen.add(name);
    const toolset = get(name, now);
    for (const tool of toolset?.tools ?? LEGACY_TOOLSETS.get(name) ?? []) into.add(tool);
    for (const included of toolset?.includes ?? []) collect(included, into, seen, now);
  }

  function resolveToolset(name: string, now: Look): readonly string[] {
    const tools = new Set<string>();
    const seen = new Set<string>();
    for (const one of name === "all" || name === "*" ? names(now) : [name]) collect(one, tools, seen, now);
    return [...tools].sort();
  }

  /** A toolset, or one tool; `tool:NAME` for a tool whose toolset has the same name. */
  function resolve(name: string, now: Look): readonly string[] | undefined {
    if (name.startsWith("tool:")) return [name.slice("tool:".length)];
    if (name === "all" || name === "*" || LEGACY_TOOLSETS.has(name) || get(name, now) !== undefined)
      return resolveToolset(name, now);
    return ports.tools.get(name) === undefined && !core.has(name) ? undefined : [name];
  }

  function presetOf(platform: string, now: Look): string {
    const preset = PRESET_OF.get(platform) ?? `hermes-${platform.replaceAll("_", "-")}`;
    return get(preset, now) === undefined ? "hermes-cli" : preset;
  }

  function platformDefault(platform: string, now: Look): readonly string[] {
    const custom = new Set(now.custom.map((toolset) => toolset.name));
    const asked = new Set(
      ports.tools
        .list()
        .flatMap(({ owner, value }) => (ports.askedFor?.(owner) === true ? [value.declaration.toolset] : [])),
    );
    const ofPlugins = names(now).filter(
      (name) => (!table.has(name) || asked.has(name)) && !custom.has(name) && !name.startsWith("hermes-"),
    );
    return [presetOf(platform, now), ...ofPlugins];
  }

  function selectTools(options: {
    readonly enabled?: readonly string[];
    readonly disabled?: readonly string[];
    readonly platform?: string;
  }): ToolSelection {
    const chosen = new Set<string>();
    const unknown: string[] = [];
    const now = look();
    for (const name of options.enabled ??
      (options.platform === undefined ? ["all"] : platformDefault(options.platform, now))) {
      const tools = resolve(name, now);
      if (tools === undefined) unknown.push(name);
      else for (const tool of tools) chosen.add(tool);
    }
    for (const name of options.disabled ?? []) {
      const tools = resolve(name, now);
      if (tools === undefined) unknown.push(name);
      // Switching a platform's preset off takes away what it adds, not what every platform shares.
      else for (const tool of tools) if (!name.startsWith("hermes-") || !core.has(tool)) chosen.delete(tool);
    }
    return { names: [...chosen].sort(), unknown };
  }

  return {
    get: (name) => get(name, look()),
    list() {
      const now = look();
      return names(now).map((name) => get(name, now)!);
    },
    resolveToolset: (name) => resolveToolset(name, look()),
    presetOf: (platform) => presetOf(platform, look()),
    platformDefault: (platform) => platformDefault(platform, look()),
    selectTools,
  };
}

/**
 * `custom_toolsets: { name: { description, tools, includes } }`. Skips entries of another shape; the configuration's
 * schema reports them.
 */
export function customToolsets(config: Json | undefined): readonly Toolset[] {
  if (!isObject(config)) return [];
  return Object.entries(config).flatMap(([name, value]) => {
    if (!isObject(value)) return [];
    const description = typeof value.description === "string" ? value.description : name;
    return [{ name, description, tools: strings(value.tools), includes: strings(value.includes) }];
  });
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? value.flatMap((item) => (typeof item === "string" || typeof item === "number" ? [String(item)] : []))
    : [];
}

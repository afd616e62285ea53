import type { Json } from "../../contract/common/json.ts";
import { UserError } from "../../contract/common/failure.ts";
import { nearest } from "../../contract/common/nearest.ts";
import { DEFAULT_SURFACE } from "../../contract/conversation/surfaces.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import type { DefinitionPorts } from "../../engine/tools/definitions.ts";
import type { Registry } from "../../engine/tools/registry.ts";
import type { Toolsets } from "../../engine/tools/toolsets.ts";

export interface ToolServicePorts extends DefinitionPorts {
  readonly tools: Registry<ToolEntry>;
  readonly toolsets: Toolsets;
  readonly config: {
    get(path: string): Json | undefined;
    explain(path: string): { readonly source: string };
    set(path: string, value: string): Promise<void>;
    changeList(
      path: string,
      change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
    ): Promise<void>;
  };
  /** Tools that are offered where another one is. */
  companions?(): readonly { readonly tool: string; readonly of: string }[];
  /** Whether the tool is none of those that come without being asked for. */
  fromOutside(owner: string, name: string): boolean;
}

/** The toolsets and tools of one run, in addition to or instead of the settings. */
export interface RunToolsets {
  readonly enabled?: readonly string[];
  readonly disabled?: readonly string[];
}

/** Resolves the toolsets in the settings, and in the options of a run, to tools. */
export class ToolSelector {
  readonly #ports: ToolServicePorts;

  constructor(ports: ToolServicePorts) {
    this.#ports = ports;
  }

  /** The tools that a session of this surface is offered, before availability. */
  select(surface: string, run: RunToolsets = {}): readonly string[] {
    const { config, toolsets, log, companions } = this.#ports;
    const disabled = run.enabled === undefined ? textList(config.get("agent.disabled_toolsets")) : [];
    const { names, unknown } = toolsets.selectTools({
      enabled: run.enabled ?? this.#configuredFor(surface),
      disabled: [...disabled, ...(run.disabled ?? [])],
      platform: surface,
    });
    const wrong = unknown.filter((name) => run.enabled?.includes(name) || run.disabled?.includes(name));
    if (wrong.length > 0) throw this.#unknown(wrong);
    for (const name of unknown) log.warning(`The settings name an unknown toolset: "${name}".`);
    const added = (companions?.() ?? []).filter(({ of }) => names.includes(of)).map(({ tool }) => tool);
    return added.length === 0 ? names : [...new Set([...names, ...added])].sort();
  }

  /** The tools of these toolsets and tools. @throws {UserError} that names the unknown ones. */
  membersOf(names: readonly string[]): readonly string[] {
    const wrong = names.filter((name) => this.toolsOf(name).length === 0);
    if (wrong.length > 0) throw this.#unknown(wrong);
    return [...new Set(names.flatMap((name) => this.toolsOf(name)))];
  }

  /** The tools of one toolset or tool; empty for a name that is neither. */
  toolsOf(name: string): readonly string[] {
    return this.#ports.toolsets.selectTools({ enabled: [name] }).names;
  }

  /** The toolsets of tools that the user added. */
  outsideToolsets(): readonly string[] {
    const { tools, fromOutside } = this.#ports;
    return [
      ...new Set(
        tools.list().flatMap(({ owner, name, value }) => (fromOutside(owner, name) ? [value.declaration.toolset] : [])),
      ),
    ].sort();
  }

  /** What the user can do about names that are no toolset or tool. */
  hintFor(names: readonly string[]): string {
    const { tools, toolsets } = this.#ports;
    const all = [...toolsets.list(), ...tools.list()].map(({ name }) => name);
    const meant = names.length === 1 ? nearest(names[0]!, all) : undefined;
    return meant === undefined ? "`hermes tools list` shows tools and their toolsets." : `Did you mean "${meant}"?`;
  }

  /** `undefined`: the platform's preset. A plugin's toolset that was not there when the list was saved is on. */
  #configuredFor(surface: string): readonly string[] | undefined {
    const { config } = this.#ports;
    const saved =
      listOf(config.get(`platform_toolsets.${surface}`)) ??
      (surface === DEFAULT_SURFACE && config.explain("toolsets").source !== "default"
        ? listOf(config.get("toolsets"))
        : undefined);
    if (saved === undefined) return undefined;
    const known = textList(config.get(`known_plugin_toolsets.${surface}`));
    return [...saved, ...this.outsideToolsets().filter((name) => !known.includes(name))];
  }

  #unknown(names: readonly string[]): UserError {
    return new UserError(`There is no toolset or tool ${names.map((name) => `"${name}"`).join(", ")}.`, {
      hint: this.hintFor(names),
      exitCode: 2,
    });
  }
}

function listOf(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? textList(value) : undefined;
}

/** A setting that lists names; empty if it is not a list. */
export function textList(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? value.filter((each) => typeof each === "string" || typeof each === "number").map(String)
    : [];
}

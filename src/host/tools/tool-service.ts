import { toolWithRole } from "../../engine/tools/tool-role.ts";
import type { ToolService } from "../../contract/services/tool-service.ts";
import { UserError } from "../../contract/common/failure.ts";
import { nearest } from "../../contract/common/nearest.ts";
import type { Json } from "../../contract/common/json.ts";
import { DEFAULT_SURFACE } from "../../contract/conversation/surfaces.ts";
import type { Notice } from "../../contract/common/notice.ts";
import { availabilityOf, type DefinitionPorts } from "../../engine/tools/definitions.ts";
import { isBridge } from "../../engine/tools/deferred-tools.ts";
import type { ToolEntry } from "../../engine/ports.ts";
import type { Registry } from "../../engine/tools/registry.ts";
import { customToolsets, type Toolsets } from "../../engine/tools/toolsets.ts";

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

export interface SelectingToolService extends ToolService {
  /**
   * Names of the tools that a session of this surface is offered, before availability. Unknown names of the run are an
   * error, of the settings a warning.
   */
  select(
    surface: string,
    run?: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] },
  ): readonly string[];
}

/**
 * Tools as people list and switch them. Per platform: `platform_toolsets.<platform>`, else `toolsets` (cli), else the
 * platform's preset.
 */
export function createToolService(ports: ToolServicePorts): SelectingToolService {
  function select(
    surface: string,
    run: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] } = {},
  ): readonly string[] {
    const configured = run.enabled ?? configuredFor(surface);
    const switchedOff = strings(ports.config.get("agent.disabled_toolsets"));
    const { names, unknown } = ports.toolsets.selectTools({
      enabled: configured,
      disabled: [...(run.enabled === undefined ? switchedOff : []), ...(run.disabled ?? [])],
      platform: surface,
    });
    const wrong = unknown.filter((name) => run.enabled?.includes(name) || run.disabled?.includes(name));
    if (wrong.length > 0) throw noneOf(wrong);
    for (const name of unknown) ports.log.warning(`The settings name an unknown toolset: "${name}".`);
    const companions = (ports.companions?.() ?? []).filter(({ of }) => names.includes(of)).map(({ tool }) => tool);
    return companions.length === 0 ? names : [...new Set([...names, ...companions])].sort();
  }

  /** `undefined`: the platform's preset. A plugin's toolset that was not there when the list was saved is on. */
  function configuredFor(surface: string): readonly string[] | undefined {
    const saved =
      list(ports.config.get(`platform_toolsets.${surface}`)) ??
      (surface === DEFAULT_SURFACE && ports.config.explain("toolsets").source !== "default"
        ? list(ports.config.get("toolsets"))
        : undefined);
    if (saved === undefined) return undefined;
    const known = strings(ports.config.get(`known_plugin_toolsets.${surface}`));
    return [...saved, ...outsideToolsets().filter((name) => !known.includes(name))];
  }

  function outsideToolsets(): readonly string[] {
    return [
      ...new Set(
        ports.tools
          .list()
          .flatMap(({ owner, name, value }) => (ports.fromOutside(owner, name) ? [value.declaration.toolset] : [])),
      ),
    ].sort();
  }

  /** By whole toolsets as far as it goes, so that a tool a later version adds to one of them is on. */
  async function save(surface: string, names: ReadonlySet<string>): Promise<void> {
    const whole = ports.toolsets
      .list()
      .filter(({ name, includes }) => includes.length === 0 && !name.startsWith("hermes-"))
      .map(({ name }) => ({ name, tools: ports.toolsets.resolveToolset(name) }))
      .filter(({ tools }) => tools.length > 0 && tools.every((tool) => names.has(tool)))
      .sort((a, b) => b.tools.length - a.tools.length || (a.name < b.name ? -1 : 1));
    const covered = new Set<string>();
    const saved = whole.flatMap(({ name, tools }) => {
      if (tools.every((tool) => covered.has(tool))) return [];
      for (const tool of tools) covered.add(tool);
      return [name];
    });
    const single = [...names]
      .filter((name) => !covered.has(name))
      .map((name) => (ports.toolsets.get(name) === undefined ? name : `tool:${name}`));
    await ports.config.set(`platform_toolsets.${surface}`, JSON.stringify([...saved, ...single].sort()));
    await ports.config.set(`known_plugin_toolsets.${surface}`, JSON.stringify(outsideToolsets()));
  }

  /**
   * Switching one tool enables no other: a tool that can run only because it is in the list (a voice, which sends
   * text away) is omitted.
   */
  async function saveOnly(surface: string, names: ReadonlySet<string>, meant: ReadonlySet<string>): Promise<void> {
    const idle = async (): Promise<readonly string[]> => {
      const others = ports.tools.list().filter(({ name }) => names.has(name) && !meant.has(name));
      const found = await Promise.all(
        others.map(async (entry) =>
          (await availabilityOf(ports, entry, { name: surface, prompter: true })).ok ? [] : [entry.name],
        ),
      );
      return found.flat();
    };
    const before = await idle();
    await save(surface, names);
    const still = new Set(await idle());
    const chosenByDefault = new Set(before.filter((name) => !still.has(name)));
    if (chosenByDefault.size > 0) await save(surface, new Set([...names].filter((name) => !chosenByDefault.has(name))));
  }

  function membersOf(names: readonly string[]): readonly string[] {
    const wrong = names.filter((name) => resolved(name).length === 0);
    if (wrong.length > 0) throw noneOf(wrong);
    return [...new Set(names.flatMap(resolved))];
  }

  function noneOf(names: readonly string[]): UserError {
    return new UserError(`There is no toolset or tool ${names.map((name) => `"${name}"`).join(", ")}.`, {
      hint: hintFor(names),
      exitCode: 2,
    });
  }

  function hintFor(names: readonly string[]): string {
    const all = [...ports.toolsets.list(), ...ports.tools.list()].map(({ name }) => name);
    const meant = names.length === 1 ? nearest(names[0]!, all) : undefined;
    return meant === undefined ? "`hermes tools list` shows tools and their toolsets." : `Did you mean "${meant}"?`;
  }

  /** Nothing for a name that is neither a toolset nor a tool. */
  function resolved(name: string): readonly string[] {
    return ports.toolsets.selectTools({ enabled: [name] }).names;
  }

  return {
    select,
    async list({ surface, prompter }) {
      const enabled = new Set(select(surface));
      return Promise.all(
        ports.tools.list().map(async (entry) => {
          const { declaration } = entry.value;
          if (isBridge(entry.name))
            return {
              declaration,
              owner: entry.owner,
              enabled: true,
              availability: {
                ok: false as const,
                reason:
                  "Available only when requests defer other tools because there are too many (tools.tool_search).",
              },
            };
          const missing = declaration.interactive && !prompter;
          const availability = missing
            ? { ok: false as const, reason: "It needs a user to answer, but no one can be asked here." }
            : await availabilityOf(ports, entry, { name: surface, prompter });
          return { declaration, owner: entry.owner, enabled: enabled.has(entry.name), availability };
        }),
      );
    },
    get: (name) => ports.tools.get(name)?.declaration,
    withRole: (role) => toolWithRole(ports.tools, role)?.name,
    misnamed(surface) {
      const known = new Set(strings(ports.config.get(`known_plugin_toolsets.${surface}`)));
      const named = [
        `platform_toolsets.${surface}`,
        ...(surface === DEFAULT_SURFACE ? ["toolsets"] : []),
        "agent.disabled_toolsets",
      ].map((path) => ({ path, names: strings(ports.config.get(path)) }));
      const custom = customToolsets(ports.config.get("custom_toolsets")).flatMap(({ name, tools, includes }) => [
        { path: `custom_toolsets.${name}.tools`, names: tools },
        { path: `custom_toolsets.${name}.includes`, names: includes },
      ]);
      return [...named, ...custom].flatMap(({ path, names }) =>
        // The toolset of a plugin that is not there now is no mistake.
        ports.toolsets
          .selectTools({ enabled: names.filter((name) => !known.has(name)) })
          .unknown.map((name): Notice => ({
            level: "warning",
            text: `${path} names "${name}", which is not a toolset or tool here.`,
            hint: hintFor([name]),
          })),
      );
    },
    toolsets() {
      const enabled = new Set(select(DEFAULT_SURFACE));
      return ports.toolsets.list().map((toolset) => {
        const resolved = ports.toolsets.resolveToolset(toolset.name);
        const present = resolved.filter((name) => ports.tools.get(name) !== undefined);
        return { ...toolset, resolved, enabled: present.length > 0 && present.every((name) => enabled.has(name)) };
      });
    },
    async enable(names, surface) {
      const members = membersOf(names);
      const off = strings(ports.config.get("agent.disabled_toolsets"));
      const blocking = off.filter(
        (each) => names.includes(each) || resolved(each).some((member) => members.includes(member)),
      );
      // What else they switch off stays off.
      const others = [...new Set(blocking.flatMap(resolved))].filter((member) => !members.includes(member));
      if (blocking.length > 0)
        await ports.config.changeList("agent.disabled_toolsets", {
          remove: blocking,
          add: others.map((member) => (ports.toolsets.get(member) === undefined ? member : `tool:${member}`)),
        });
      await saveOnly(surface, new Set([...select(surface), ...members]), new Set(members));
    },
    async disable(names, surface) {
      const members = new Set(membersOf(names));
      await saveOnly(surface, new Set(select(surface).filter((each) => !members.has(each))), new Set());
    },
  };
}

function list(value: Json | undefined): readonly string[] | undefined {
  return Array.isArray(value) ? strings(value) : undefined;
}

function strings(value: Json | undefined): readonly string[] {
  return Array.isArray(value)
    ? value.filter((each) => typeof each === "string" || typeof each === "number").map(String)
    : [];
}

import { createToolsets } from "../../src/engine/tools/toolsets.ts";
import { Registry } from "../../src/engine/tools/registry.ts";
import { CORE_TOOLS, LEGACY_TOOLSETS, toolsetTable } from "../../src/engine/tools/toolset-table.ts";
import type { Toolset } from "../../src/contract/tools/toolset.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";
import { code, page, prose, table, type Page } from "./page.ts";
import type { BundledPlugin } from "./read-snapshot.ts";

/** The engine's own resolver with the tools of the bundled plugins, so that its answers match a run. */
export function toolsetResolver(plugins: readonly BundledPlugin[]): ReturnType<typeof createToolsets> {
  const tools: Parameters<typeof createToolsets>[0]["tools"] = new Registry("tool", quietLog());
  for (const { key, registered } of plugins)
    for (const declaration of registered.tools)
      // The resolver reads only the declaration.
      tools.add(declaration.name, { declaration } as unknown as Parameters<typeof tools.add>[1], key);
  return createToolsets({ tools, toolsets: new Registry("toolset", quietLog()) });
}

export function toolsetsPage(plugins: readonly BundledPlugin[]): Page {
  const sets = toolsetTable();
  const resolver = toolsetResolver(plugins);
  const present = new Set(plugins.flatMap(({ registered }) => registered.tools.map(({ name }) => name)));
  const row = (set: Toolset): readonly string[] => {
    const names = resolver.resolveToolset(set.name);
    const here = names.filter((name) => present.has(name));
    return [
      code(set.name),
      prose(set.description),
      String(names.length),
      String(here.length),
      [...set.includes.map((name) => `all of ${code(name)}`), ...membersOf(set, names).map((name) => code(name))].join(
        ", ",
      ),
    ];
  };
  const presets = sets.filter(({ name }) => name.startsWith("hermes-"));
  const others = sets.filter(({ name }) => !name.startsWith("hermes-"));
  const head = ["Toolset", "What it is for", "Tools", "In this version", "Members"];
  const all = new Set(sets.flatMap((set) => resolver.resolveToolset(set.name)));
  return page(
    "toolsets.md",
    "Toolsets",
    `A toolset is a named set of tools; you switch tools on and off by toolset. There are ${sets.length}: ${others.length} by subject and ${presets.length} presets, one for each surface. Together they name ${all.size} tools, of which ${[...all].filter((name) => present.has(name)).length} ship with this version. A name without a tool has no effect until a plugin registers the tool. How Hermes selects toolsets: [tools at run time](../tools-runtime.md#toolsets).`,
    "## By subject",
    table(head, others.map(row)),
    "## Presets",
    `The core list of ${CORE_TOOLS.length} tools is offered on every platform. Presets that contain it show it as "the core list".`,
    table(
      head,
      presets.map((set) => [...row(set).slice(0, 4), members(set)]),
    ),
    "## The core list",
    CORE_TOOLS.map((name) => `${code(name)}${present.has(name) ? "" : " (not in this version)"}`).join(", "),
    "## Former names",
    "You can use these names of earlier versions wherever you name a toolset.",
    table(
      ["Former name", "Tools"],
      [...LEGACY_TOOLSETS].map(([name, tools]) => [code(name), tools.map((tool) => code(tool)).join(", ")]),
    ),
  );
}

/** The tools of a set, with those that plugins put into it. */
function membersOf(set: Toolset, resolved: readonly string[]): readonly string[] {
  return set.includes.length > 0 ? set.tools : [...set.tools, ...resolved.filter((name) => !set.tools.includes(name))];
}

function members(set: Toolset): string {
  const rest = set.tools.filter((name) => !CORE_TOOLS.includes(name));
  const missing = CORE_TOOLS.filter((name) => !set.tools.includes(name));
  const included = set.includes.map((name) => `all of ${code(name)}`).join(", ");
  if (set.tools.length === 0) return included;
  if (missing.length > CORE_TOOLS.length / 2) return set.tools.map((name) => code(name)).join(", ");
  return [
    "the core list",
    ...(rest.length === 0 ? [] : [`and ${rest.map((name) => code(name)).join(", ")}`]),
    ...(missing.length === 0 ? [] : [`without ${missing.map((name) => code(name)).join(", ")}`]),
  ].join(" ");
}

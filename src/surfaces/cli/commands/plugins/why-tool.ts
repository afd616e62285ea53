import type { PluginListing } from "../../../../contract/services/plugin-service.ts";
import type { ToolListing } from "../../../../contract/services/tool-service.ts";
import { DEFAULT_SURFACE } from "../../../../contract/conversation/surfaces.ts";
import { nearest } from "../../../../contract/common/nearest.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

export interface ToolReasons {
  readonly offered: boolean;
  /** A sentence for each condition. One that is not met says how to fix it. */
  readonly reasons: readonly string[];
}

/**
 * Explains why a tool is offered or not: which plugin registers it, which others it overrides, whether it is on and
 * can run.
 */
export function whyTool(
  name: string,
  tools: readonly ToolListing[],
  plugins: readonly PluginListing[],
  platform: string,
): ToolReasons {
  const tool = tools.find(({ declaration }) => declaration.name === name || declaration.aliases.includes(name));
  const givers = plugins.filter(
    (plugin) => plugin.registered.tools.includes(name) || plugin.manifest.provides_tools.includes(name),
  );
  if (tool === undefined)
    return {
      offered: false,
      reasons: givers.length === 0 ? [unknown(name, tools, plugins)] : givers.map((plugin) => stopped(name, plugin)),
    };
  const { declaration, owner, enabled, availability } = tool;
  const reasons = [
    ...(declaration.name === name ? [] : [`"${name}" is a former name of ${declaration.name}.`]),
    `Registered by ${plugins.some(({ key, source }) => key === owner && source === "bundled") ? `the bundled plugin "${owner}"` : `"${owner}"`} in the toolset ${declaration.toolset}.`,
    ...givers
      .filter(({ key, state }) => key !== owner && state === "enabled")
      .map(({ key }) => `The plugin "${key}" also registers a tool with this name; that one is not used.`),
    ...givers.filter(({ key, state }) => key !== owner && state !== "enabled").map((plugin) => stopped(name, plugin)),
    enabled
      ? `It is on for ${platform}.`
      : `It is off for ${platform}: ${asTyped("hermes tools enable")} ${declaration.name}${platform === DEFAULT_SURFACE ? "" : ` --platform ${platform}`}`,
    availability.ok
      ? "It can run here."
      : `It cannot run here: ${availability.reason}${(availability.needs ?? []).length === 0 ? "" : ` (needs ${availability.needs!.join(", ")}: ${asTyped("hermes config set")} NAME VALUE)`}`,
  ];
  if (!availability.ok) reasons.push(...fillers(declaration, plugins));
  return { offered: enabled && availability.ok, reasons };
}

/** Plugins that could provide a slot which the tool needs, and why each does not run. */
function fillers({ slots = [] }: ToolListing["declaration"], plugins: readonly PluginListing[]): readonly string[] {
  const filling = (slot: string) =>
    plugins.filter(({ registered }) => registered.providers.some((provider) => provider.startsWith(`${slot}/`)));
  return slots.flatMap((slot) => {
    const able = filling(slot);
    return able.some(({ state }) => state === "enabled")
      ? []
      : able.map(
          ({ key, state, reason }) =>
            `"${key}" provides ${slot} but does not run: ${reason ?? state}${/[.!?]$/.test(reason ?? state) ? "" : "."}`,
        );
  });
}

function stopped(
  name: string,
  { key, state, because, reason, registered, lacking = [], lackingFrom }: PluginListing,
): string {
  const needs =
    lacking.length === 0
      ? ""
      : ` It needs ${lackingFrom === "npm" ? "npm" : "Python"} packages that are not installed: ${lacking.join(", ")} (hermes plugins enable ${key} installs them).`;
  if (because === "off") return `The plugin "${key}" provides it but is disabled (hermes plugins enable ${key}).`;
  if (state !== "enabled")
    return `The plugin "${key}" provides it but does not run (${state})${reason === undefined ? "." : `: ${reason}${needs === "" || /[.!?]$/.test(reason) ? "" : "."}`}${needs}`;
  return registered.tools.includes(name)
    ? `The plugin "${key}" registers it, but it is not used because of its availability or its name (hermes plugins check ${key}).`
    : `The manifest of the plugin "${key}" lists it, but the plugin does not register it.${needs}`;
}

function unknown(name: string, tools: readonly ToolListing[], plugins: readonly PluginListing[]): string {
  if (plugins.some((plugin) => plugin.key === name || plugin.manifest.name === name))
    return `"${name}" is a plugin, not a tool. See: ${asTyped("hermes plugins info")} ${name}`;
  const near = nearest(name, [
    ...tools.map(({ declaration }) => declaration.name),
    ...plugins.flatMap(({ manifest }) => manifest.provides_tools),
  ]);
  return `No plugin registers a tool with this name.${near === undefined ? asTyped(" `hermes tools list` shows all tools.") : ` Did you mean "${near}"?`}`;
}

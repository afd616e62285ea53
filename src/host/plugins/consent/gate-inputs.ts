import type { Json } from "../../../contract/common/json.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { GateInputs } from "./gate.ts";
import type { InstalledPlugins, PluginPorts, PluginSettings } from "../registry/plugin-host.ts";

/** The state of the settings, pins and system that decides which plugins run. */
export function gateInputs({ installed, settings, hosts }: PluginPorts): GateInputs {
  const { config, environment } = settings;
  return {
    enabled: namesIn(config, "plugins.enabled"),
    disabled: namesIn(config, "plugins.disabled"),
    env: (name) => environment.get(name),
    refusal: (plugin) => refusedContent(plugin, installed),
    lack: (plugin) => hosts?.lack(plugin),
    chosen: (plugin) => isChosen(plugin, config),
  };
}

export function namesIn(config: PluginSettings["config"], path: string): ReadonlySet<string> {
  const names = config.get(path);
  return new Set(Array.isArray(names) ? (names as readonly Json[]).map(String) : []);
}

/** Content that was hashed before is not hashed again while its files are unchanged. A project's content always is. */
function refusedContent(plugin: FoundPlugin, { pins, index }: InstalledPlugins): ReturnType<GateInputs["refusal"]> {
  if (plugin.source === "bundled") return undefined;
  const agreed = pins.get(plugin.dir)?.hash;
  if (plugin.source !== "project" && agreed !== undefined && plugin.verified === agreed) return undefined;
  const refusal = pins.refusal(plugin);
  if (refusal === undefined && agreed !== undefined && plugin.source !== "project") index.verified(plugin, agreed);
  return refusal === undefined
    ? undefined
    : { because: pins.get(plugin.dir) === undefined ? "trust" : "changed", reason: refusal };
}

/**
 * Whether a setting names what the plugin provides: by the plugin's name, its folder's or, once it has run, its
 * provider's.
 */
function isChosen({ key, manifest, registered }: FoundPlugin, config: PluginSettings["config"]): boolean {
  const given = (registered?.providers ?? [])
    .filter(({ slot }) => slot === "memory" || slot === "context")
    .map(({ id }) => id);
  const names = [key, manifest.name, key.split("/").at(-1), ...given];
  const paths =
    manifest.chosen_by !== undefined
      ? [manifest.chosen_by]
      : manifest.kind === "model-provider"
        ? ["model.provider"]
        : ["memory.provider", "context.engine"];
  return paths.some((path) => names.includes(String(config.get(path))));
}

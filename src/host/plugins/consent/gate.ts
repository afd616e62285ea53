import type { PluginListing, PluginStop } from "../../../contract/services/plugin-service.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";

export interface GateInputs {
  readonly enabled: ReadonlySet<string>;
  readonly disabled: ReadonlySet<string>;
  env(name: string): string | undefined;
  /** Why its content differs from what the user agreed to; `undefined` if it does not, or if it needs no consent. */
  refusal(plugin: FoundPlugin): { readonly because: "trust" | "changed"; readonly reason: string } | undefined;
  /** The system requirement that is missing. */
  lack(plugin: FoundPlugin): string | undefined;
  /** A setting names it as the provider of its category. */
  chosen(plugin: FoundPlugin): boolean;
}

export type Verdict =
  | { readonly state: "enabled" }
  | {
      readonly state: Exclude<PluginListing["state"], "enabled">;
      readonly because?: PluginStop;
      readonly reason: string;
    };

/** Decides from data alone whether a plugin may run. */
export function judge(plugin: FoundPlugin, inputs: GateInputs): Verdict {
  const { key, source, manifest } = plugin;
  const named = (list: ReadonlySet<string>): boolean => list.has(key) || list.has(manifest.name);
  if (plugin.broken !== undefined) return { state: "failed", reason: plugin.broken };
  if (plugin.dev === true) return needs(plugin, inputs);
  if (named(inputs.disabled)) return { state: "disabled", because: "off", reason: "disabled via config" };
  if (manifest.kind === "exclusive" && !inputs.chosen(plugin))
    return {
      state: "not enabled",
      because: "chosen",
      reason: "exclusive plugin: it runs when memory.provider or context.engine names it (hermes memory setup)",
    };
  // A project's plugin is enabled by trusting its content. A name in config.yaml would apply to other folders too.
  const chosen = manifest.kind === "exclusive" || (manifest.kind === "model-provider" && inputs.chosen(plugin));
  if ((source !== "bundled" || manifest.opt_in === true) && source !== "project" && !chosen && !named(inputs.enabled))
    return {
      state: "not enabled",
      because: "asked",
      reason: `not enabled in config (run \`hermes plugins enable ${key}\`)`,
    };
  const refusal = inputs.refusal(plugin);
  if (refusal !== undefined) return { state: "not enabled", ...refusal };
  return needs(plugin, inputs);
}

function needs(plugin: FoundPlugin, inputs: GateInputs): Verdict {
  const { manifest } = plugin;
  if (manifest.chosen_by !== undefined && !inputs.chosen(plugin))
    return {
      state: "disabled",
      because: "chosen",
      reason: `Plugin ${manifest.name} disabled (${manifest.chosen_by} does not name it)`,
    };
  const missing = manifest.requires_env.filter(({ name }) => inputs.env(name) === undefined).map(({ name }) => name);
  if (missing.length > 0)
    return {
      state: "disabled",
      because: "variables",
      reason: `Plugin ${manifest.name} disabled (missing: ${missing.join(", ")})`,
    };
  const lack = inputs.lack(plugin);
  return lack === undefined
    ? { state: "enabled" }
    : { state: "disabled", because: "means", reason: `Plugin ${manifest.name} disabled (${lack})` };
}

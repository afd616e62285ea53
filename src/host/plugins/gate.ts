import type { PluginListing } from "../../contract/app.ts";
import type { FoundPlugin } from "./discovery.ts";

export interface GateInputs {
  readonly enabled: ReadonlySet<string>;
  readonly disabled: ReadonlySet<string>;
  env(name: string): string | undefined;
}

export type Verdict = { readonly state: "enabled" } | { readonly state: Exclude<PluginListing["state"], "enabled">; readonly reason: string };

/** Whether a plugin may run, from data alone. */
export function judge(plugin: Pick<FoundPlugin, "key" | "source" | "manifest" | "broken">, inputs: GateInputs): Verdict {
  const { key, source, manifest } = plugin;
  const named = (list: ReadonlySet<string>): boolean => list.has(key) || list.has(manifest.name);
  if (plugin.broken !== undefined) return { state: "failed", reason: plugin.broken };
  if (named(inputs.disabled)) return { state: "disabled", reason: "disabled via config" };
  if (source !== "bundled" && manifest.kind === "exclusive") return { state: "not enabled", reason: "exclusive plugin: it is chosen by its category's provider setting" };
  if (source !== "bundled" && !named(inputs.enabled)) return { state: "not enabled", reason: `not enabled in config (run \`hermes plugins enable ${key}\`)` };
  const missing = manifest.requires_env.filter(({ name }) => inputs.env(name) === undefined).map(({ name }) => name);
  if (missing.length > 0) return { state: "disabled", reason: `Plugin ${manifest.name} disabled (missing: ${missing.join(", ")})` };
  return { state: "enabled" };
}

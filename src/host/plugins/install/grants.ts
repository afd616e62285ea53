import type { ManifestVariable, PluginManifest } from "../../../contract/plugins/plugin.ts";

/**
 * The requests of a manifest, one sentence each: shown before an install, stored in the lock file, compared on an
 * update.
 */
export function grantsOf(manifest: PluginManifest): readonly string[] {
  const { grants } = manifest;
  const variable = (need: ManifestVariable, needed: boolean): string =>
    `${needed ? "needs" : "may read"} the variable ${need.name}${need.secret === true ? " (secret)" : ""}`;
  return [
    ...(manifest.program === undefined ? [] : [`runs the program ${manifest.program.join(" ")} with your permissions`]),
    ...manifest.provides_tools.map((name) => `registers the tool ${name}`),
    ...manifest.provides_hooks.map((name) => `subscribes to the hook ${name}`),
    ...manifest.requires_env.map((need) => variable(need, true)),
    ...manifest.optional_env.map((need) => variable(need, false)),
    ...(grants?.read ?? []).map((folder) => `reads the folder ${folder}`),
    ...(grants?.write ?? []).map((folder) => `writes to the folder ${folder}`),
    ...(grants?.hosts ?? []).map((host) => `connects to ${host}`),
    ...(grants?.tools ?? []).map((tool) => `calls the tool ${tool}`),
    ...(manifest.dependencies ?? []).map((dependency) => `installs the Python package ${dependency}`),
  ];
}

/** The requests that were added, and those that were dropped. */
export function compareGrants(
  before: readonly string[],
  now: readonly string[],
): { readonly added: readonly string[]; readonly removed: readonly string[] } {
  return {
    added: now.filter((grant) => !before.includes(grant)),
    removed: before.filter((grant) => !now.includes(grant)),
  };
}

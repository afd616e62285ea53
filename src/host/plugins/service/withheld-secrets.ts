import { isSecretName } from "../../../safety/secrets/secret-names.ts";
import { withheldFromTools } from "../discovery/declared-variables.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { withGiven, withheldOf } from "../discovery/variables-read.ts";
import type { PluginSettings } from "../registry/plugin-host.ts";
import type { Registered } from "../registry/registered.ts";

/** Secrets that its code reads and that it does not get, set or not; `undefined` if there are none. */
export async function secretsNotGiven(
  plugin: FoundPlugin,
  settings: PluginSettings,
): Promise<{ readonly withheld: readonly string[]; readonly missing: readonly string[] } | undefined> {
  const { variablesNamed } = await import("../discovery/variables-named.ts");
  const { requires_env, optional_env } = withGiven(plugin, settings.config).manifest;
  const declared = new Set([...requires_env, ...optional_env].map(({ name }) => name));
  const read = [...variablesNamed(plugin), ...(plugin.registered?.reads ?? []).map(([name]) => name)];
  const missing = new Set(
    read.filter((name) => isSecretName(name) && !declared.has(name) && settings.environment.get(name) === undefined),
  );
  const withheld = await withheldSecrets(plugin, plugin.registered, settings);
  return missing.size + withheld.length === 0 ? undefined : { withheld, missing: [...missing].sort() };
}

/** Secrets that a plugin looked up, that its code names, or that its tools declare, and that it does not get. */
export async function withheldSecrets(
  plugin: FoundPlugin,
  registered: Registered | undefined,
  { config, environment }: PluginSettings,
): Promise<readonly string[]> {
  const given = withGiven(plugin, config);
  const { variablesNamed } = await import("../discovery/variables-named.ts");
  const named = variablesNamed(plugin).map((name) => [name, ""] as const);
  const ofTools = (registered?.tools ?? []).flatMap(({ env }) => env);
  return [
    ...new Set([
      ...withheldOf(registered, given.manifest, environment),
      ...withheldOf({ reads: named }, given.manifest, environment),
      ...withheldFromTools(given, ofTools, environment),
    ]),
  ];
}

import { withheldFromTools } from "../discovery/declared-variables.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { withGiven, withheldOf } from "../discovery/variables-read.ts";
import type { PluginSettings } from "../registry/plugin-host.ts";
import type { Registered } from "../registry/registered.ts";

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

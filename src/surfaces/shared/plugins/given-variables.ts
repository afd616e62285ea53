import type { App } from "../../../contract/services/app.ts";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import { asTyped } from "../process/called-as.ts";

/** The variables that a plugin neither declares nor was given. */
export async function notGiven(app: App, plugin: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const { requires_env, optional_env } = (await app.plugins.info(plugin)).manifest;
  const known = new Set([...[...requires_env, ...optional_env].map(({ name }) => name), ...givenTo(app, plugin)]);
  return names.filter((name) => !known.has(name));
}

/** Secrets that a plugin reads and does not get, and the commands that change it, a line each. */
export function linesOfSecrets(
  app: App,
  plugin: string,
  { withheld, missing }: NonNullable<PluginListing["secrets"]> = { withheld: [], missing: [] },
): readonly string[] {
  const line = (names: readonly string[], what: string): readonly string[] =>
    names.length === 0
      ? []
      : [
          `Its code reads ${names.join(", ")}, ${what}, and its manifest does not declare ${names.length === 1 ? "it" : "them"}.`,
        ];
  const all = [...withheld, ...missing];
  return [
    ...line(withheld, `which ${withheld.length === 1 ? "is" : "are"} set but not passed to it`),
    ...line(missing, `which ${missing.length === 1 ? "is" : "are"} not set`),
    ...missing.map((name) => `  To set it: ${asTyped(`hermes config set ${name} VALUE`)}`),
    ...(all.length === 0
      ? []
      : [`  To pass ${all.length === 1 ? "it" : "them"}: ${asTyped(givingLine(app, plugin, all))}`]),
  ];
}

/** The command that gives them to the plugin. */
export function givingLine(app: App, plugin: string, names: readonly string[]): string {
  return `hermes config set ${pathOf(plugin)} '${JSON.stringify([...givenTo(app, plugin), ...names])}'`;
}

/** The variables that a setting lets a plugin read. */
export function givenTo(app: App, plugin: string): readonly string[] {
  const given = app.config.get(pathOf(plugin));
  return Array.isArray(given) ? given.map(String) : [];
}

/** That setting. */
export function pathOf(plugin: string): string {
  return `plugins.entries.${plugin}.env`;
}

import type { App } from "../../../contract/services/app.ts";

/** The variables that a plugin neither declares nor was given. */
export async function notGiven(app: App, plugin: string, names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const { requires_env, optional_env } = (await app.plugins.info(plugin)).manifest;
  const known = new Set([...[...requires_env, ...optional_env].map(({ name }) => name), ...givenTo(app, plugin)]);
  return names.filter((name) => !known.has(name));
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

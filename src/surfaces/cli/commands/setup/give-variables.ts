import type { App } from "../../../../contract/services/app.ts";
import type { Io } from "../../../shared/process/io.ts";

/** Lets a plugin read variables that its manifest does not declare, by a setting. */
export async function giveVariables(
  app: App,
  plugin: string,
  provider: string,
  names: ReadonlySet<string>,
  io: Io,
): Promise<void> {
  const added = await notGiven(app, plugin, [...names]);
  if (added.length === 0) return;
  await app.config.set(pathOf(plugin), JSON.stringify([...givenTo(app, plugin), ...added]));
  io.note(`${provider} may read ${added.join(", ")}.\n`);
}

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

function givenTo(app: App, plugin: string): readonly string[] {
  const given = app.config.get(pathOf(plugin));
  return Array.isArray(given) ? given.map(String) : [];
}

function pathOf(plugin: string): string {
  return `plugins.entries.${plugin}.env`;
}

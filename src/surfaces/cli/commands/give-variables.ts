import type { App } from "../../../contract/app.ts";
import type { Io } from "../io.ts";

/** Variables that its manifest does not declare are given to a plugin by a setting. */
export async function giveVariables(app: App, plugin: string, provider: string, names: ReadonlySet<string>, io: Io): Promise<void> {
  if (names.size === 0) return;
  const { requires_env, optional_env } = (await app.plugins.info(plugin)).manifest;
  const path = `plugins.entries.${plugin}.env`;
  const before = app.config.get(path);
  const known = new Set([...[...requires_env, ...optional_env].map(({ name }) => name), ...(Array.isArray(before) ? before.map(String) : [])]);
  const added = [...names].filter((name) => !known.has(name));
  if (added.length === 0) return;
  await app.config.set(path, JSON.stringify([...(Array.isArray(before) ? before : []), ...added]));
  io.note(`${provider} may read ${added.join(", ")}.\n`);
}

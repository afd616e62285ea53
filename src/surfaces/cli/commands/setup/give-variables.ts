import type { App } from "../../../../contract/services/app.ts";
import type { Io } from "../../../shared/process/io.ts";
import { givenTo, notGiven, pathOf } from "../../../shared/plugins/given-variables.ts";

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

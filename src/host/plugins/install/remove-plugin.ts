import { rmSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { SettingsEdit } from "../../config/settings-edit.ts";
import type { Home } from "../../environment/home.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { PluginPins } from "../consent/plugin-pins.ts";
import { forgetEdits } from "../consent/tool-grants.ts";
import { environmentOf } from "../packages/python-environment.ts";

export interface RemovePorts {
  readonly home: Home;
  readonly pins: PluginPins;
  readonly config: { edit(edits: readonly SettingsEdit[]): Promise<void> };
  /** Whether another plugin has this name: then the list entries stay for that one. */
  stillThere(name: string): boolean;
}

/**
 * Deletes a plugin of the home. Removes the settings first, so that a crash in between leaves a plugin that is not
 * enabled.
 */
export async function removePlugin(plugin: FoundPlugin, ports: RemovePorts): Promise<void> {
  const folder = folderOf(plugin, ports.home);
  if (folder === undefined) {
    throw new UserError(`Cannot delete the plugin "${plugin.key}" in ${plugin.dir}: it is not in your home.`, {
      hint: `Run \`hermes plugins disable ${plugin.key}\` to stop it from running.`,
    });
  }
  const names = [plugin.key, plugin.manifest.name].filter((name) => !ports.stillThere(name));
  await ports.config.edit([
    { kind: "list", path: "plugins.enabled", remove: names },
    { kind: "list", path: "plugins.disabled", remove: names },
    // Whatever is installed under this name later has to ask again.
    ...(names.includes(plugin.key) ? forgetEdits(plugin.key) : []),
  ]);
  rmSync(folder, { recursive: true, force: true });
  rmSync(environmentOf(plugin, ports.home), { recursive: true, force: true });
  await ports.pins.remove(plugin.dir);
}

/** The plugin's own folder, or the whole environment of a package that was installed into the home. */
function folderOf({ source, dir }: FoundPlugin, home: Home): string | undefined {
  if (source === "user") return dir;
  const packages = home.file("packages", source);
  const inside = relative(packages, dir);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return undefined;
  return join(packages, inside.split("/")[0] ?? dirname(dir));
}

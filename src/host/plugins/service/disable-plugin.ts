import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import { findPlugin } from "./find-plugin.ts";
import { allPlugins, type OperationPorts } from "./operation-ports.ts";

/**
 * `hermes plugins disable`.
 * @returns `undefined` if the settings enabled a plugin of that name that no longer exists: then only the name is
 *   removed.
 */
export async function disablePlugin(name: string, ports: OperationPorts): Promise<PluginListing | undefined> {
  const { host, settings } = ports;
  const { index, pins } = ports.installed;
  if (isOnlyInSettings(name, ports)) {
    await settings.config.edit([{ kind: "list", path: "plugins.enabled", remove: [name] }]);
    return undefined;
  }
  const plugin = findPlugin(name, ports);
  await settings.config.edit([
    { kind: "list", path: "plugins.enabled", remove: [plugin.key, plugin.manifest.name] },
    // A project's plugin is enabled by a pin alone, because a name in this list would apply to other projects too.
    ...(plugin.source === "project" ? [] : [{ kind: "list", path: "plugins.disabled", add: [plugin.key] } as const]),
  ]);
  if (plugin.source === "project") await pins.remove(plugin.dir);
  index.save();
  return host.listing(plugin);
}

function isOnlyInSettings(name: string, ports: OperationPorts): boolean {
  const enabled = ports.settings.config.get("plugins.enabled");
  return (
    Array.isArray(enabled) &&
    enabled.includes(name) &&
    !allPlugins(ports).some(({ key, manifest }) => key === name || manifest.name === name)
  );
}

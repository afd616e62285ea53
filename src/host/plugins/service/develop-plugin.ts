import { resolve } from "node:path";
import type { PluginListing, PluginTestReport, ReloadReport } from "../../../contract/services/plugin-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { watchFolder } from "../discovery/watch-folder.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { manifestFile } from "../discovery/plugin-files.ts";
import type { PluginServices } from "../registry/plugin-services.ts";
import { findPlugin } from "./find-plugin.ts";
import type { OperationPorts } from "./operation-ports.ts";
import { testPlugin, type TestPorts } from "./test-plugin.ts";

/** `hermes plugins dev`: runs the plugin from this folder and reloads it on each change. */
export async function developPlugin(
  folder: string,
  reloaded: (report: ReloadReport) => void,
  ports: OperationPorts,
): Promise<Disposable & { readonly listing: PluginListing; readonly report: ReloadReport }> {
  const { host, log } = ports;
  const plugin = await ports.installed.index.develop(resolve(folder));
  const report = await host.reload();
  const watching = watchFolder(plugin.dir, () =>
    host.reload().then(reloaded, (cause: unknown) => log.error("Cannot reload the plugins", { cause })),
  );
  return {
    listing: host.listing(findPlugin(plugin.key, ports)),
    report,
    [Symbol.dispose]: () => watching[Symbol.dispose](),
  };
}

/** `hermes plugins test`: runs the handlers of the plugin's tools, from its folder. */
export async function testFoundPlugin(
  found: FoundPlugin,
  options: Pick<TestPorts, "signal"> & Partial<Pick<TestPorts, "recorded">>,
  services: () => PluginServices,
  ports: OperationPorts,
): Promise<PluginTestReport> {
  const { clock, host } = ports;
  const { config, environment } = ports.settings;
  // A package has no separate plugin folder, so it is tested as it runs.
  const plugin =
    manifestFile(found.dir) === undefined && (found.source === "npm" || found.source === "python")
      ? found
      : await ports.installed.index.develop(found.dir);
  await host.reload();
  const listing = host.listing(findPlugin(plugin.key, ports));
  if (listing.state !== "enabled")
    throw new UserError(`The plugin "${plugin.key}" is not running: ${listing.reason ?? listing.state}`);
  return testPlugin(plugin.key, plugin.dir, {
    config,
    environment,
    clock,
    fetch: (owner) => services().network.fetch(owner),
    tools: host.tools,
    slots: host.slots,
    recorded: options.recorded ?? [],
    signal: options.signal,
    declared: (variable) => host.declaredEnv(plugin.key).some((need) => need.name === variable),
  });
}

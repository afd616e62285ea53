import type { InstallOptions, PluginInstall, PluginListing } from "../../../contract/services/plugin-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { prepareInstall, PROGRAM_VARIABLES, type InstallPorts } from "../install/prepare-install.ts";
import { takesNpmPackages } from "../packages/npm-needs.ts";
import { describePlugin } from "./describe-plugin.ts";
import { findPlugin } from "./find-plugin.ts";
import { allPlugins, type OperationPorts } from "./operation-ports.ts";

/** `hermes plugins install` */
export function installPlugin(from: string, options: InstallOptions, ports: OperationPorts): Promise<PluginInstall> {
  return prepareInstall(from, options, installPorts(ports));
}

/** `hermes plugins update`: fetches an installed plugin again, from its recorded source. */
export async function updatePlugin(
  plugin: FoundPlugin,
  options: Pick<InstallOptions, "cwd" | "signal" | "build">,
  ports: OperationPorts,
): Promise<PluginInstall> {
  const { from, ref } = ports.installed.pins.get(plugin.dir) ?? {};
  if (from === undefined)
    throw new UserError(
      `Cannot update the plugin "${plugin.key}" in ${plugin.dir}: Hermes did not install it, so its source is unknown.`,
      { hint: "Run `hermes plugins install SOURCE --force` to replace it." },
    );
  return installPlugin(from, { ...options, force: true, ref }, ports);
}

/** `hermes plugins remove`: deletes the plugin's files and settings, and stops it. */
export async function removeInstalled(plugin: FoundPlugin, ports: OperationPorts): Promise<PluginListing> {
  const { home, host, settings } = ports;
  const { index, pins } = ports.installed;
  const { removePlugin } = await import("../install/remove-plugin.ts");
  const listing = host.listing(plugin);
  await removePlugin(plugin, {
    home,
    pins,
    config: settings.config,
    stillThere: (key) =>
      allPlugins(ports).some((other) => other !== plugin && (other.key === key || other.manifest.name === key)),
  });
  await host.unload(plugin.key);
  await index.rescan();
  index.save();
  return listing;
}

/** Installs the packages that the plugin needs, and restarts it. */
export async function installPackagesOf(
  plugin: FoundPlugin,
  options: Pick<InstallOptions, "signal" | "build">,
  ports: OperationPorts,
): Promise<PluginListing> {
  if (plugin.module !== undefined)
    throw new UserError(
      `The plugin "${plugin.key}" is a Python package, so pip has already installed its dependencies.`,
    );
  const env = ports.settings.environment.childEnvironment(PROGRAM_VARIABLES);
  if (takesNpmPackages(plugin)) {
    const [{ installNpmPackages }, { coolingOff }] = await Promise.all([
      import("../install/install-npm-packages.ts"),
      import("../install/prepare-install.ts"),
    ]);
    const publishedBefore = coolingOff(installPorts(ports));
    await installNpmPackages(plugin, ports.home, { env, signal: options.signal, publishedBefore });
  } else {
    const { installPackages } = await import("../install/install-packages.ts");
    await installPackages(plugin, ports.home, { env, ...options });
  }
  // It may already run, without them or in another plugin's process.
  await ports.host.unload(plugin.key);
  await ports.host.reload();
  return describePlugin(plugin, ports);
}

function installPorts(ports: OperationPorts): InstallPorts {
  const { home, log, clock, host } = ports;
  const { config, environment } = ports.settings;
  const { index, pins } = ports.installed;
  return {
    home,
    pins,
    log,
    environment,
    now: () => clock.now(),
    coolingOffHours: () => {
      const hours = config.get("plugins.cooling_off_hours");
      return typeof hours === "number" ? hours : 72;
    },
    settled: async (key) => {
      await index.rescan();
      index.save();
      return host.listing(findPlugin(key, ports));
    },
  };
}

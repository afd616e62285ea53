import type { PluginService, PluginProblem } from "../../../contract/services/plugin-service.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { PluginPorts } from "../registry/plugin-host.ts";
import type { PluginServices } from "../registry/plugin-services.ts";
import { allPlugins, type OperationPorts } from "./operation-ports.ts";

/**
 * `hermes plugins`: the plugins, and the two lists in `config.yaml`. A change takes effect with the next start. The
 * code of each operation loads when it runs.
 */
export function createPluginService(
  pluginPorts: PluginPorts,
  host: OperationPorts["host"],
  services: () => PluginServices,
): PluginService {
  const ports: OperationPorts = { ...pluginPorts, host };
  const { home } = ports;
  const { index } = ports.installed;

  return {
    async list() {
      await index.rescan("ask-python");
      const { describePlugin } = await import("./describe-plugin.ts");
      const listings = await Promise.all(allPlugins(ports).map((plugin) => describePlugin(plugin, ports)));
      return listings.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    },

    async enable(name, options = {}) {
      const plugin = await find(name);
      return (await import("./enable-plugin.ts")).enablePlugin(plugin, options, ports);
    },

    async disable(name) {
      await index.rescan("ask-python");
      return (await import("./disable-plugin.ts")).disablePlugin(name, ports);
    },

    async info(name) {
      const plugin = await find(name);
      return (await import("./describe-plugin.ts")).describeInDetail(plugin, ports);
    },

    async decideTools(name, tools, decision) {
      const plugin = await find(name);
      return (await import("./tool-decisions.ts")).decideTools(plugin, tools, decision, ports);
    },

    async check(name) {
      const plugins = name === undefined ? await own() : [await findOrRead(name)];
      const [{ checkPlugin }, { createCheckPorts }] = await Promise.all([
        import("./check-plugin.ts"),
        import("./check-ports.ts"),
      ]);
      const checkPorts = createCheckPorts(ports);
      const checked: { key: string; dir: string; problems: readonly PluginProblem[] }[] = [];
      for (const plugin of plugins) {
        const runs = name !== undefined || host.listing(plugin).state === "enabled";
        const problems = await checkPlugin(plugin, checkPorts, runs);
        checked.push({ key: plugin.key, dir: plugin.dir, problems });
      }
      return checked;
    },

    async installPackages(name, options) {
      const plugin = await find(name);
      return (await import("./installed-plugins.ts")).installPackagesOf(plugin, options, ports);
    },

    async install(from, options) {
      return (await import("./installed-plugins.ts")).installPlugin(from, options, ports);
    },

    async update(name, options) {
      const plugin = await find(name);
      return (await import("./installed-plugins.ts")).updatePlugin(plugin, options, ports);
    },

    async remove(name) {
      const plugin = await find(name);
      return (await import("./installed-plugins.ts")).removeInstalled(plugin, ports);
    },

    reload: () => host.reload(),

    async create(name, { python, folder }) {
      const [{ newPlugin }, { resolve }] = await Promise.all([import("../kit/new-plugin.ts"), import("node:path")]);
      return newPlugin(name, { python, folder: folder === undefined ? home.folder("plugins") : resolve(folder) });
    },

    async develop(folder, message) {
      return (await import("./develop-plugin.ts")).developPlugin(folder, message, ports);
    },

    async test(name, options) {
      const plugin = await findOrRead(name);
      return (await import("./develop-plugin.ts")).testFoundPlugin(plugin, options, services, ports);
    },
  };

  async function own(): Promise<readonly FoundPlugin[]> {
    await index.rescan("ask-python");
    return index.own;
  }

  /** Looks for new plugins first. */
  async function find(name: string): Promise<FoundPlugin> {
    await index.rescan("ask-python");
    return (await import("./find-plugin.ts")).findPlugin(name, ports);
  }

  async function findOrRead(name: string): Promise<FoundPlugin> {
    await index.rescan("ask-python");
    return (await import("./find-plugin.ts")).findOrReadPlugin(name, ports);
  }
}

import { dirname, join } from "node:path";
import type { EnvNeed } from "../../contract/common/availability.ts";
import { RESERVED_COMMANDS } from "../../contract/conversation/reserved-commands.ts";
import { createPluginHost } from "../plugins/create-plugin-host.ts";
import { openHosts } from "../../plugin-runtimes/plugin-hosts.ts";
import type { PluginHosts } from "../plugins/registry/plugin-hosts.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import { findToolModules, type FoundToolModules } from "../compat/find-tool-modules.ts";
import { systemClock } from "./system-clock.ts";
import type { AppEnvironment } from "./prepare-environment.ts";

export interface AppPlugins {
  readonly host: PluginHost;
  /** The processes of plugins that do not run in this one. */
  readonly processes: PluginHosts;
  readonly modules: FoundToolModules;
  /** Variables that an owner of tools may read. */
  declaredEnv(owner: string): readonly EnvNeed[];
}

/**
 * Stage 2: the host of all plugins, with empty registries. Stage 4 starts the plugins, once the services that they use
 * exist.
 */
export function preparePlugins(app: AppEnvironment): AppPlugins {
  const { options, home, environment, log, config, installed, bundledDir } = app;
  const processes = openHosts({
    home,
    log,
    cwd: process.cwd(),
    version: options.version,
    variables: options.env,
    environment,
    config,
  });
  const host = createPluginHost({
    log,
    clock: systemClock,
    home,
    installed,
    settings: {
      config,
      environment,
      async reread() {
        environment.refresh();
        await config.load();
      },
    },
    hosts: processes,
    reserved: { command: (name) => RESERVED_COMMANDS.has(name), word: options.reservedWord },
  });
  const modules = findToolModules([join(bundledDir, "../tools"), ...(options.safeMode ? [] : [home.file("tools")])], {
    tools: host.tools,
    log,
    env: (name) => environment.get(name),
    refusal: (file, name) =>
      dirname(file) === home.file("tools") && host.isBuiltIn(name)
        ? `${file} would replace the built-in tool "${name}", so Hermes does not load it. Rename the tool, or make it a plugin: then Hermes asks you first.`
        : undefined,
  });
  return {
    host,
    processes,
    modules,
    declaredEnv: (owner) => [...host.declaredEnv(owner), ...modules.declaredEnv(owner)],
  };
}

import type { GatewayDesk } from "../../contract/services/gateway-service.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Config } from "../config/open-config.ts";
import type { CurrentCall } from "../sessions/current-call.ts";
import type { EnvironmentDesk } from "../environment/environment.ts";
import type { Home } from "../environment/home.ts";
import { lazyStorage } from "../app/lazily.ts";
import type { ConnectingModelDesk } from "../models/model-service.ts";
import type { PluginServices } from "../plugins/registry/plugin-services.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { visibleSessions } from "../sessions/visible-sessions.ts";

export interface ServePorts extends Pick<PluginServices, "skills" | "jobs" | "proxy" | "socket" | "redact" | "inject"> {
  readonly home: Home;
  readonly log: Logger;
  readonly environment: EnvironmentDesk;
  readonly config: Config;
  readonly sessions: Sessions;
  /** Who can be asked in the call that runs at that moment. */
  person(): CurrentCall["person"];
  /** Whose chat the call or command that runs at that moment is in. */
  whose(): Promise<string | undefined>;
  /** Ends with the process. */
  readonly signal: AbortSignal;
  /** Where in the configuration a plugin's own settings lie. */
  section(plugin: string): string;
  /** It comes with the agent. */
  shipped(plugin: string): boolean;
  gateway(): Promise<GatewayDesk>;
  models(): Promise<ConnectingModelDesk>;
}

/** What one process of the agent does for its plugins. Nothing of it is loaded before a plugin asks for it. */
export function servePlugins(ports: ServePorts): PluginServices {
  const { home, log, environment, config, sessions } = ports;
  const tokensUsed = new Map<string, number>();
  const ownSetting = (plugin: string, path: string): Json | undefined =>
    config[ports.shipped(plugin) ? "get" : "written"](`${ports.section(plugin)}.${path}`);
  return {
    home: home.path,
    sessions: visibleSessions(sessions.desk, ports.whose),
    skills: ports.skills,
    jobs: ports.jobs,
    storage: (plugin) =>
      lazyStorage(async () => (await import("../plugins/registry/plugin-storage.ts")).openStorage(home, plugin)),
    changeFile: async (path, change) =>
      (await import("../environment/change-file.ts")).changeFile(home.path, path, change),
    proxy: ports.proxy,
    socket: (plugin) => ports.socket(plugin),
    browserReturn: async (place) => (await import("./browser-return.ts")).openBrowserReturn(place),
    llm: async (plugin, request, signal) =>
      (await import("../models/plugin-llm.ts")).askModel(
        {
          models: await ports.models(),
          config: (path) => config.get(path),
          signal: ports.signal,
          log,
          used: tokensUsed,
          ownSetting,
        },
        plugin,
        request,
        signal,
      ),
    redact: ports.redact,
    package: async (plugin, name) => {
      const { loadPackage } = await import("../plugins/packages/plugin-packages.ts");
      const { PROGRAM_VARIABLES } = await import("../plugins/install/prepare-install.ts");
      return loadPackage(plugin, name, {
        folder: home.file("packages"),
        allowed: config.get("security.allow_lazy_installs") !== false,
        person: ports.person(),
        env: environment.childEnvironment(PROGRAM_VARIABLES),
        signal: ports.signal,
      });
    },
    chats: async () => {
      const desk = await ports.gateway();
      const { platforms, running, destinations, deliver } = desk;
      const speaker = async (sessionId: string) =>
        (await import("../sessions/speaker.ts")).speakerOf(sessionId, await sessions.store(), await desk.lanes());
      return { platforms, running, destinations, deliver, speaker, heard: async () => (await desk.lanes()).heard() };
    },
    inject: (text) => ports.inject(text),
    secrets: {
      async read(name) {
        environment.refresh();
        return environment.get(name);
      },
      async write(values) {
        for (const [name, value] of Object.entries(values))
          await (value === undefined ? environment.unset(name) : environment.set(name, value));
      },
    },
    saveConfig: (path, value) =>
      config.edit([value === undefined ? { kind: "unset", path } : { kind: "set", path, value }]),
  };
}

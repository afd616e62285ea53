import { resolve } from "node:path";
import type { App } from "../../contract/services/app.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { SkillShelf } from "../../contract/plugins/skill.ts";
import { toolFinder } from "../../engine/dispatch/find-tool.ts";
import type { Config } from "../config/open-config.ts";
import { lazyStorage } from "./lazily.ts";
import { systemClock } from "./system-clock.ts";
import type {
  ConversationServices,
  NetworkServices,
  PluginServices,
  StateServices,
} from "../plugins/registry/plugin-services.ts";
import { whoseSession } from "../store/facts/session-user.ts";
import { visibleSessions } from "../sessions/visible-sessions.ts";
import { sourceOf } from "../web/open-web.ts";
import type { AppEngine } from "./prepare-engine.ts";
import type { AppEnvironment } from "./prepare-environment.ts";
import type { AppPlugins } from "./prepare-plugins.ts";

export interface ServedToPlugins extends Pick<App, "jobs" | "gateway" | "openSession"> {
  readonly skills: SkillShelf;
}

/** The services for plugins. Each loads when a plugin first needs it. */
export function servePlugins(
  app: AppEnvironment,
  plugins: AppPlugins,
  engine: AppEngine,
  services: ServedToPlugins,
): PluginServices {
  const { options, home, environment, log, config, secrets, installed } = app;
  const tokensUsed = new Map<string, number>();
  const isShipped = (plugin: string): boolean => installed.index.bundled.some(({ key }) => key === plugin);
  return {
    conversations: conversationServices(app, plugins, engine, services),
    network: networkServices(engine),
    state: stateServices(app),
    skills: services.skills,
    llm: async (plugin, request, signal) =>
      (await import("../models/plugin-llm.ts")).askModel(
        {
          models: await engine.models(),
          config: (path) => config.get(path),
          signal: options.signal,
          log,
          used: tokensUsed,
          ownSetting: (key, path) =>
            config[isShipped(key) ? "get" : "written"](`${plugins.host.configSection(key)}.${path}`),
        },
        plugin,
        request,
        signal,
      ),
    redact: secrets.redact,
    package: async (plugin, name) => {
      const { loadPackage } = await import("../plugins/packages/plugin-packages.ts");
      const { PROGRAM_VARIABLES } = await import("../plugins/install/prepare-install.ts");
      return loadPackage(plugin, name, {
        folder: home.file("packages"),
        allowed: config.get("security.allow_lazy_installs") !== false,
        prompter: engine.current.prompter,
        env: environment.childEnvironment(PROGRAM_VARIABLES),
        signal: options.signal,
      });
    },
  };
}

function conversationServices(
  { config, log, secrets, options }: AppEnvironment,
  { host }: AppPlugins,
  { sessions, open, current }: AppEngine,
  { jobs, gateway, openSession }: ServedToPlugins,
): ConversationServices {
  /** The chat user that the current call or command works for; `undefined` for the owner. */
  const whoseIs = async (sessionId: string | undefined): Promise<string | undefined> =>
    sessionId === undefined
      ? undefined
      : (open.injectedOf(sessionId) ?? whoseSession(await sessions.store(), sessionId));
  const whose = (): Promise<string | undefined> => whoseIs(current.sessionId);
  const find = toolFinder(host.tools);
  return {
    sessions: visibleSessions(sessions.service, whose),
    jobs,
    chats: async () => {
      const service = await gateway();
      const { platforms, running, destinations, deliver } = service;
      const speaker = async (sessionId: string) =>
        (await import("../sessions/speaker.ts")).speakerOf(sessionId, await sessions.store(), await service.lanes());
      return {
        platforms,
        running,
        destinations,
        deliver,
        speaker,
        heard: async () => (await service.lanes()).recentChats(),
      };
    },
    inject: (text) => current.inject(text),
    mayCall: async (plugin, tool, args) => {
      // As dispatch finds it, by a former or a similar name too. Dispatch reports a tool that does not exist.
      const found = find(tool, undefined);
      if (found === undefined) return undefined;
      const { askForTool } = await import("../plugins/consent/ask-for-tool.ts");
      return askForTool(plugin, found.name, args, {
        config,
        clock: systemClock,
        log,
        show: secrets.redact,
        place: current.placeOfCall(plugin.key),
        whose: whoseIs,
        signal: options.signal,
      });
    },
    call: (plugin, tool, args, sessionId) =>
      current.call({ plugin, tool, args, sessionId }, async () => {
        // The tools of a session never change, so none may open before all plugins are there.
        if (!host.started)
          throw new ToolFailure("unavailable", `The plugin "${plugin}" called ${tool} before all plugins had started.`);
        return openSession({ surface: "gateway", cwd: workspaceOf(config) });
      }),
  };
}

function networkServices({ web, current }: AppEngine): NetworkServices {
  return {
    fetch: (plugin) => async (url, options) => {
      current.fetching(plugin, String(url));
      return web.fetch(plugin)(url, options);
    },
    socket: (plugin) => async (url, options) => {
      current.fetching(plugin, sourceOf(url, options));
      return web.socket(plugin)(url, options);
    },
    proxy: web.proxy,
    browserReturn: async (place) => (await import("../services/browser-return.ts")).openBrowserReturn(place),
  };
}

function stateServices({ home, environment, config }: AppEnvironment): StateServices {
  return {
    home: home.path,
    storage: (plugin) =>
      lazyStorage(async () => (await import("../plugins/registry/plugin-storage.ts")).openStorage(home, plugin)),
    changeFile: async (path, change) =>
      (await import("../environment/change-file.ts")).changeFile(home.path, path, change),
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

/** Working directory of calls outside of every open session. */
function workspaceOf(config: Config): string {
  const cwd = config.get("terminal.cwd");
  return resolve(typeof cwd === "string" ? cwd : "");
}

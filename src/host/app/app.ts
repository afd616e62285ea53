import { dirname, join, resolve, sep } from "node:path";
import type { EnvNeed } from "../../contract/common/availability.ts";
import type { App, OpenSession } from "../../contract/services/app.ts";
import type { ModelDesk } from "../../contract/services/model-service.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { SlashCommand } from "../../contract/conversation/command.ts";
import { RESERVED_COMMANDS } from "../../contract/conversation/reserved-commands.ts";
import type { Session } from "../../contract/conversation/session.ts";
import { createDispatch } from "../../engine/dispatch/dispatch.ts";
import { createJudgeEffect } from "../../engine/approval/judge-effect.ts";
import type { Dispatch, DispatchPorts } from "../../engine/ports.ts";
import { createToolsets, customToolsets } from "../../engine/tools/toolsets.ts";
import { createKnownMask } from "../../safety/secrets/known-values.ts";
import { createRedactor } from "../../safety/secrets/redact.ts";
import { openApprovals } from "../approvals/open-approvals.ts";
import { openConfig, type Config } from "../config/open-config.ts";
import { CurrentCall } from "../sessions/current-call.ts";
import { openEnvironment } from "../environment/environment.ts";
import { hideEnvironment } from "../environment/hide-environment.ts";
import { openHookDesk } from "../services/hook-service.ts";
import { resolveHome } from "../environment/home.ts";
import { readIdentity } from "./identity.ts";
import { lazily } from "./lazily.ts";
import { logSettings } from "../logger/log-settings.ts";
import { openLogger } from "../logger/open-logger.ts";
import { openPluginPins } from "../plugins/consent/plugin-pins.ts";
import { openPluginIndex } from "../plugins/discovery/plugin-index.ts";
import { openHosts } from "../../plugin-runtimes/plugin-hosts.ts";
import { openPlugins } from "../plugins/open-plugins.ts";
import { createProbe } from "../services/probe.ts";
import { openProviders } from "../sessions/open-providers.ts";
import { openToolModules } from "../compat/open-tool-modules.ts";
import { openScratch } from "../environment/scratch.ts";
import { servePlugins } from "../services/serve-plugins.ts";
import { openSession } from "../sessions/session-opener.ts";
import { openSkills } from "../skills/open-skills.ts";
import { openSessions } from "../sessions/sessions.ts";
import { whoseSession } from "../store/facts/session-user.ts";
import { randomIds, systemClock } from "./system-clock.ts";
import { createToolDesk } from "../tools/tool-service.ts";
import { userHomeOf } from "../environment/user-home.ts";
import { openWeb, openWebProxy, openWebSockets, sourceOf, type WebPorts } from "../web/open-web.ts";

export interface AppOptions {
  readonly version: string;
  /** `-p NAME`. */
  readonly profile?: string;
  readonly ignoreUserConfig?: boolean;
  /** Defaults, and no plugins but the bundled ones. */
  readonly safeMode?: boolean;
  /** Settings of this run, by dotted path. */
  readonly flags?: { readonly [path: string]: string | number | boolean };
  /** Go on with the sound part of a wrong config.yaml, for the commands that mend it. */
  readonly forRepair?: boolean;
  /** Subcommands of the surface, which no plugin may take. */
  reservedWord?(name: string): boolean;
  /** The process's variables. Its own (`process.env`) lose their secrets, since children could read them there; others are only read. */
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal: AbortSignal;
}

/**
 * Wires one process of the agent. What a run does not use is not loaded: the store opens with the first session, a plugin's code with its
 * first call, the model's client with the first turn.
 */
export async function openApp({ env: given, ...others }: AppOptions): Promise<App> {
  const userHome = userHomeOf(given);
  // For what asks the process where it is: Node.js itself, and every command.
  if (given === process.env && given["HOME"] !== undefined) process.env["HOME"] = userHome;
  const { variables, exposed } =
    given === process.env ? hideEnvironment(process.env) : { variables: given, exposed: [] };
  const options: AppOptions = { ...others, env: variables };
  const home = resolveHome({ env: options.env, userHome, profile: options.profile });
  const environment = openEnvironment({ home, process: options.env });
  const heard: string[] = [];
  const secrets: (() => readonly string[])[] = [() => environment.secretValues(), () => heard];
  const known = createKnownMask(() => secrets.flatMap((values) => values()));
  const redactor = createRedactor(known);
  const debug = options.env["HERMES_PLUGINS_DEBUG"];
  const log = openLogger({
    home,
    clock: systemClock,
    redact: redactor,
    debugPlugins:
      debug !== undefined && debug !== "" && debug !== "0"
        ? (text) => void process.stderr.write(`${text}\n`)
        : undefined,
  });
  const bundledDir = options.env["HERMES_BUNDLED_PLUGINS"] || bundledPlugins();
  const pins = openPluginPins(home);
  const pluginsHere = join(process.cwd(), ".hermes", "plugins");
  const projectPlugins = isOn(environment.get("HERMES_ENABLE_PROJECT_PLUGINS")) ? pluginsHere : undefined;
  const index = await openPluginIndex({
    home,
    log,
    pins,
    bundledDirs: [bundledDir],
    version: options.version,
    bundledOnly: options.safeMode,
    projectDir: projectPlugins === home.file("plugins") ? undefined : projectPlugins,
    modulesDir: ownModules(),
    path: options.env["PATH"],
  });
  const config = await openConfig({
    home,
    environment,
    sections: index.sections,
    flags: options.flags,
    ignoreFile: options.ignoreUserConfig || options.safeMode,
    whenBroken: options.forRepair ? "take-sound-part" : "refuse",
  });
  secrets.push(() => config.secretValues());
  log.configure(logSettings(config));
  const masking = config.get("security.redact_secrets") !== false;
  const redact = masking ? redactor : (text: string) => text;
  const mask = masking ? known : createKnownMask(() => []);

  const opened = new Map<string, Session>();
  /** Whose chats the open ones are in that are not the owner's. */
  const guests = new Map<string, string>();
  const current = new CurrentCall(randomIds, opened, () =>
    app.openSession({ surface: "gateway", cwd: workspaceOf(config) }),
  );
  const reread = async (): Promise<void> => {
    environment.refresh();
    await config.load();
  };
  const webPorts: WebPorts = {
    home: home.path,
    config: (path) => config.get(path),
    env: (name) => environment.get(name),
    secrets: () => secrets.flatMap((values) => values()),
    declaredEnv: (owner) => declaredEnv(owner),
    section: (owner) => plugins.configSection(owner),
    providedBy: (slot, provider) => plugins.slots.ownerOf(slot, provider),
  };
  const web = openWeb(webPorts);
  const webSockets = openWebSockets(webPorts);
  const sessions = openSessions({ home, log, mask });
  const skills = openSkills({
    home,
    bundled: options.env["HERMES_BUNDLED_SKILLS"] || join(bundledDir, "../skills"),
    version: options.version,
    log: log.child("skills"),
    config: (path) => config.get(path),
    setConfig: (path, value) => config.set(path, value),
    programEnvironment: async () =>
      environment.childEnvironment((await import("../plugins/install/prepare-install.ts")).PROGRAM_VARIABLES),
    env: (name) => environment.get(name),
    plugins: () => plugins,
  });
  const jobs = lazily(async () =>
    (await import("../jobs/job-service.ts")).createJobDesk({
      home,
      log: log.child("cron"),
      store: () => sessions.store(),
      config: (path) => config.get(path),
      now: () => systemClock.now(),
      mask,
      redact,
      childEnvironment: () => environment.childEnvironment([]),
      chatOf: async (sessionId) =>
        (await import("../jobs/chat-of.ts")).chatOf(await (await gateway()).lanes(), sessionId),
    }),
  );
  const gateway = lazily(async () =>
    (await import("../services/gateway-service.ts")).createGatewayDesk({
      slots: plugins.slots,
      environment,
      home,
      sessions,
      mask: redact,
      userHome,
    }),
  );
  const services = servePlugins({
    home,
    log,
    environment,
    config,
    sessions,
    skills,
    jobs,
    gateway,
    models: () => models(),
    section: (plugin) => plugins.configSection(plugin),
    shipped: (plugin) => index.bundled.some(({ key }) => key === plugin),
    proxy: openWebProxy(webPorts),
    socket: (plugin) => async (url, options) => (
      current.fetching(plugin, sourceOf(url, options)),
      webSockets(plugin)(url, options)
    ),
    person: () => current.person,
    whose: async () =>
      current.sessionId === undefined
        ? undefined
        : (guests.get(current.sessionId) ?? whoseSession(await sessions.store(), current.sessionId)),
    inject: (text) => current.inject(text),
    redact,
    signal: options.signal,
  });
  const hosts = openHosts({
    home,
    log,
    cwd: process.cwd(),
    version: options.version,
    variables: options.env,
    environment,
    config,
  });
  const plugins = await openPlugins({
    ...(projectPlugins === undefined ? { unread: pluginsHere } : {}),
    services,
    hosts,
    index,
    pins,
    config,
    environment,
    log,
    home,
    clock: systemClock,
    fetch: (owner) => async (url, options) => (current.fetching(owner, String(url)), web(owner)(url, options)),
    reread,
    call: (plugin, tool, args, sessionId) => current.call(plugin, tool, args, sessionId),
    reservedCommand: (name) => RESERVED_COMMANDS.has(name),
    reservedWord: options.reservedWord,
    path: options.env["PATH"],
  });
  const modules = await openToolModules(
    [join(bundledDir, "../tools"), ...(options.safeMode ? [] : [home.file("tools")])],
    {
      tools: plugins.tools,
      log,
      refusal: (file, name) =>
        dirname(file) === home.file("tools") && plugins.isBuiltIn(name)
          ? `${file} would replace the built-in tool "${name}"; its own is not registered. Give it another name, or make it a plugin, whose person is asked.`
          : undefined,
    },
  );
  const declaredEnv = (owner: string): readonly EnvNeed[] => [
    ...plugins.declaredEnv(owner),
    ...modules.declaredEnv(owner),
  ];
  const toolsets = createToolsets({
    tools: plugins.tools,
    toolsets: plugins.toolsets,
    custom: () => customToolsets(config.get("custom_toolsets")),
    askedFor: (owner) => index.bundled.some(({ key, manifest }) => key === owner && manifest.opt_in === true),
  });
  const scratch = openScratch(home);
  const probe: DispatchPorts["probe"] = (owner, surface) =>
    createProbe({
      declared: declaredEnv(owner),
      env: (name) => environment.get(name),
      config: (path) => config.get(path),
      surface,
    });
  const models = lazily(async () => {
    const [{ createModelDesk }, { withProfiles }, { keptKeysPast }] = await Promise.all([
      import("../models/model-service.ts"),
      import("../models/model-profiles.ts"),
      import("../models/key-history.ts"),
    ]);
    return createModelDesk({
      config,
      environment,
      log,
      keysPast: keptKeysPast(home.file("cache", "keys-past.json")),
      slots: withProfiles(plugins.slots, (name) => environment.get(name), log),
      signal: options.signal,
      probe: (provider) => probe(plugins.slots.ownerOf("model", provider) ?? "", { name: "cli", person: false }),
    });
  });
  const terminals = lazily(async () =>
    (await import("../tools/terminal-service.ts")).createTerminalDesk({
      slots: plugins.slots,
      signal: options.signal,
      probe: (owner) => probe(owner, { name: "cli", person: false }),
    }),
  );
  const sandbox = async () => (await plugins.slots.use("terminal")).sandbox?.();
  const approvals = await openApprovals({
    config,
    home: userHome,
    agentHome: home.path,
    redact,
    models,
    sessions: () => sessions.desk,
    commandTool: async () => plugins.tools.get(COMMAND_TOOL)?.load(),
    sandbox,
  });
  const dispatchPorts: DispatchPorts = {
    tools: plugins.tools,
    hooks: plugins.hooks,
    middlewares: plugins.middlewares,
    approvers: approvals.approvers,
    smart: approvals.smart,
    clock: systemClock,
    ids: randomIds,
    log,
    home: userHome,
    agentHome: home.path,
    redact,
    spill: (sessionId, callId, text) => scratch.spill(sessionId, callId, text),
    scratch: (sessionId) => scratch.folder(sessionId),
    use: (slot, id) => plugins.slots.use(slot, id),
    filled: (slot) => plugins.slots.filled(slot),
    fetch: web,
    running: (owner, tool) => current.running(owner, tool),
    secret: (name) => environment.get(name),
    env: (owner, name) => (declaredEnv(owner).some((need) => need.name === name) ? environment.get(name) : undefined),
    config: (path) => config.get(path),
    probe,
  };
  const dispatch: Dispatch = current.around(createDispatch(dispatchPorts));
  const media = async () => (await import("../media/media-service.ts")).createMediaDesk(plugins.slots, plugins.desk);
  const snapshots = async () =>
    (await import("../services/snapshot-service.ts")).createSnapshotDesk({
      home,
      now: () => systemClock.now(),
      backup: (target) => sessions.backup(target),
    });
  const providers = openProviders({
    plugins,
    log,
    home: home.path,
    profile: home.profile,
    config: (path) => config.get(path),
    redact,
    models,
  });
  const tools = createToolDesk({
    filled: (slot) => plugins.slots.filled(slot),
    tools: plugins.tools,
    clock: systemClock,
    log,
    probe,
    toolsets,
    config,
    companions: () => providers.companions(),
    fromOutside: (owner, name) =>
      !index.bundled.some(
        ({ key, manifest, registered }) =>
          key === owner && manifest.opt_in !== true && registered?.tools.some((tool) => tool.name === name) === true,
      ),
  });
  const hooks = await openHookDesk({
    hooks: plugins.hooks,
    config,
    home,
    userHome,
    log: log.child("hooks"),
    hosts,
    events: options.safeMode !== true,
    now: () => systemClock.now(),
    elapsed: () => systemClock.elapsed(),
    childEnvironment: () => environment.childEnvironment([]),
  });
  let used = false;
  let misnamed = () => plugins.slots.misnamed((path) => config.explain(path));

  const app: App = {
    version: options.version,
    home: home.path,
    profile: home.profile,
    log,
    mask: redact,
    get notices(): readonly Notice[] {
      return [
        ...environment.notices,
        ...config.notices,
        ...plugins.notices,
        ...modules.notices,
        ...misnamed(),
        ...approvals.notices(),
        ...hooks.notices,
        ...sessions.notices(),
        ...providers.notices,
      ];
    },
    config,
    tools: { ...tools, list: async (where) => (await providers.open(), tools.list(where)) },
    plugins: plugins.desk,
    sessions: sessions.desk,
    models: deferred(models),
    terminals: { list: async () => (await terminals()).list(), check: async (id) => (await terminals()).check(id) },
    approvals: approvals.desk,
    hooks: hooks.desk,
    gateway,
    jobs,
    media: {
      list: async (slot) => (await media()).list(slot),
      setting: async (slot) => (await media()).setting(slot),
      look: async (slot, id) => (await media()).look(slot, id),
      transcribe: async (file, signal) => (await media()).transcribe(file, signal),
    },
    snapshots: {
      list: async () => (await snapshots()).list(),
      create: async (label) => (await snapshots()).create(label),
      restore: async (which) => (await snapshots()).restore(which),
      prune: async (keep) => (await snapshots()).prune(keep),
    },
    memory: () => providers.memory(),
    memorySetup: () => providers.memorySetup(),
    skills: { all: () => skills.all() },
    skins: async () => (await import("./skin-files.ts")).skinFiles(home.path),
    commands: {
      list: () => plugins.commands.list().map(({ value }) => value),
      get: (name) => typedIn(current, plugins.commands.get(name)),
    },
    cliCommands: { list: () => plugins.cli.list().map(({ value }) => value) },
    async doctor() {
      const [{ runDoctor }, { checkStore }] = await Promise.all([
        import("../services/doctor.ts"),
        import("../store/repair/check-store.ts"),
      ]);
      return [
        ...(await runDoctor({
          home,
          config,
          environment,
          exposed,
          plugins: plugins.desk,
          tools,
          models: await models(),
          media: await media(),
          sandbox,
        })),
        ...(await plugins.checks()),
        ...(await checkStore(home.path)),
      ];
    },
    async *logs({ name, lines, level, follow, signal }) {
      const { readLogs } = await import("../logger/read-logs.ts");
      yield* readLogs({ home, log: name, lines, level, follow: follow ? signal : undefined });
    },
    async openSession(request: OpenSession) {
      await providers.open();
      const session = await openSession(
        {
          sessions: opened,
          context: providers.context,
          remembers: providers.remembers,
          belongs: (sessionId, whose) => void guests.set(sessionId, whose),
          closed: (sessionId) => (
            guests.delete(sessionId),
            providers.remembers(sessionId, false),
            hooks.closed(sessionId)
          ),
          remembered: (sessionId, surface) => providers.remembered(sessionId, surface),
          skillIndex: (offered, surface) => skills.index(offered, surface),
          dispatchPorts,
          dispatch,
          mask,
          heard: (secret) => void (heard.includes(secret) || heard.push(secret)),
          judgeEffect: createJudgeEffect(dispatchPorts),
          tools,
          store: await sessions.store(),
          identity: () => readIdentity(home),
          model: async (choice, chosen, subagent) => {
            const desk = await models();
            return current.forPerson(request.person, () => desk[subagent ? "delegated" : "inUse"](choice, chosen));
          },
        },
        request,
      );
      used = true;
      current.enter(session, request.attended);
      return session;
    },
    async [Symbol.asyncDispose]() {
      // Said after the end as well, when no provider is there any more.
      const known = misnamed();
      misnamed = () => known;
      for (const session of opened.values()) await session[Symbol.asyncDispose]();
      await hooks[Symbol.asyncDispose]();
      await skills[Symbol.asyncDispose]();
      await providers[Symbol.asyncDispose]();
      await plugins[Symbol.asyncDispose]();
      if (used && config.get("sessions.auto_prune") === true) {
        const { pruneSessions } = await import("../sessions/prune-sessions.ts");
        await pruneSessions({
          home,
          config: (path) => config.get(path),
          sessions: sessions.desk,
          clock: systemClock,
          log,
        });
      }
      await sessions[Symbol.asyncDispose]();
      await scratch.sweep(systemClock.now());
      await log[Symbol.asyncDispose]();
    },
  };
  return app;
}

/** Where calls work that no surface opened a session for. */
function workspaceOf(config: Config): string {
  const cwd = config.get("terminal.cwd");
  return resolve(typeof cwd === "string" ? cwd : "");
}

/** A plugin's command as it is typed in a session. */
function typedIn(current: CurrentCall, command: SlashCommand | undefined): SlashCommand | undefined {
  return (
    command && { ...command, run: (args, call) => current.inSession(call.sessionId, () => command.run(args, call)) }
  );
}

/** The tool whose calls are shell commands. */
const COMMAND_TOOL = "terminal";

/** Beside the code: `plugins/` of a clone, `dist/plugins/` when built (the build puts all code two levels up from here or beside it). */
function bundledPlugins(): string {
  return import.meta.url.endsWith(".ts")
    ? join(import.meta.dirname, "../../../plugins")
    : join(import.meta.dirname, "..", "plugins");
}

/** The `node_modules` that this package itself lies in: plugins that were installed beside it are found. */
function ownModules(): string | undefined {
  const at = import.meta.dirname.lastIndexOf(`${sep}node_modules${sep}`);
  return at < 0 ? undefined : import.meta.dirname.slice(0, at + "/node_modules".length);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && ["1", "true", "yes", "on"].includes(value.toLowerCase());
}

function deferred(models: () => Promise<ModelDesk>): ModelDesk {
  return {
    current: async () => (await models()).current(),
    contextTokens: async (model) => (await models()).contextTokens(model),
    providers: async () => (await models()).providers(),
    fallbacks: async () => (await models()).fallbacks(),
    findLocal: async (signal) => (await models()).findLocal(signal),
    list: async (provider, signal) => (await models()).list(provider, signal),
    probe: async (signal) => (await models()).probe(signal),
    choose: async (choice) => (await models()).choose(choice),
  };
}

import { join } from "node:path";
import { maskValue } from "../../safety/secrets/mask-value.ts";
import type { App } from "../../contract/services/app.ts";
import type { SlashCommand } from "../../contract/conversation/command.ts";
import type { InsightsQuery } from "../../contract/services/insights.ts";
import type { ModelService } from "../../contract/services/model-service.ts";
import type { Notice } from "../../contract/common/notice.ts";
import type { CurrentCall } from "../sessions/current-call.ts";
import type { createAgentService } from "../background/agent-service.ts";
import { lazily } from "./lazily.ts";
import { chance, systemClock } from "./system-clock.ts";
import type { AppEngine } from "./prepare-engine.ts";
import type { AppEnvironment } from "./prepare-environment.ts";
import type { AppPlugins } from "./prepare-plugins.ts";
import type { AppServices } from "./start-services.ts";

/** Stage 5: the process as surfaces see it, and its end. */
export function assembleApp(
  environment: AppEnvironment,
  plugins: AppPlugins,
  engine: AppEngine,
  services: AppServices,
): App {
  const { options, home, log, config, secrets } = environment;
  const { host } = plugins;
  const { sessions, current, models, approvals } = engine;
  const { tools, providers, terminals, hooks, skills, jobs, gateway, openSession } = services;
  const misnamed = misnamedUntilClosed(environment, plugins);
  const agents = deferredAgents(environment, engine, services);
  return {
    version: options.version,
    home: home.path,
    profile: home.profile,
    log,
    mask: secrets.redact,
    maskValue: (value) => maskValue(value, secrets.redact),
    get notices(): readonly Notice[] {
      return [
        ...environment.notices,
        ...config.notices,
        ...host.notices,
        ...plugins.modules.notices,
        ...misnamed.notices(),
        ...approvals.notices(),
        ...hooks.notices,
        ...sessions.notices(),
        ...providers.notices,
      ];
    },
    config,
    tools: { ...tools, list: async (where) => (await providers.open(), tools.list(where)) },
    plugins: host.service,
    sessions: sessions.service,
    insights: (query) => countUsage(query, environment, engine),
    costs: sessions.costs,
    activity: sessions.activity,
    models: deferredModels(models),
    terminals: { list: async () => (await terminals()).list(), check: async (id) => (await terminals()).check(id) },
    approvals: approvals.service,
    hooks: hooks.service,
    agents: agents.service,
    backups: () => openBackups(environment, engine, services),
    profiles: () => openProfiles(environment, engine),
    updates: () => openUpdates(environment),
    migrations: async () =>
      (await import("../migrations/migration-service.ts")).createMigrationService({
        home: home.path,
        userHome: environment.userHome,
        now: () => systemClock.now(),
        config,
      }),
    gateway,
    jobs,
    media: deferredMedia(plugins),
    snapshots: deferredSnapshots(environment, engine),
    memory: () => providers.memory(),
    memorySetup: () => providers.memorySetup(),
    skills: { all: () => skills.all() },
    skins: async () => (await import("./skin-files.ts")).skinFiles(home.path),
    commands: {
      list: () => host.commands.list().map(({ value }) => value),
      get: (name) => typedIn(current, host.commands.get(name)),
    },
    cliCommands: { list: () => host.cli.list().map(({ value }) => value) },
    doctor: () => checkInstallation(environment, plugins, engine, services),
    async *logs({ name, lines, level, follow, signal }) {
      const { readLogs } = await import("../logger/read-logs.ts");
      yield* readLogs({ home, log: name, lines, level, follow: follow ? signal : undefined });
    },
    openSession,
    async [Symbol.asyncDispose]() {
      misnamed.close();
      agents.close();
      await closeAll(environment, plugins, engine, services);
    },
  };
}

/**
 * Settings that name providers which do not exist. After the end there are no providers to compare with, so the last
 * answer stays.
 */
function misnamedUntilClosed({ config }: AppEnvironment, { host }: AppPlugins) {
  const look = (): readonly Notice[] => host.slots.misnamed((path) => config.explain(path));
  let last: readonly Notice[] | undefined;
  return {
    notices: (): readonly Notice[] => last ?? look(),
    close: () => void (last ??= look()),
  };
}

async function closeAll(
  { home, log, config }: AppEnvironment,
  { host }: AppPlugins,
  { open, sessions, scratch }: AppEngine,
  { hooks, skills, providers }: AppServices,
): Promise<void> {
  for (const session of open.list()) await session[Symbol.asyncDispose]();
  await hooks[Symbol.asyncDispose]();
  await skills[Symbol.asyncDispose]();
  await providers[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  if (open.used && config.get("sessions.auto_prune") === true) {
    const { pruneSessions } = await import("../sessions/prune-sessions.ts");
    await pruneSessions({
      home,
      config: (path) => config.get(path),
      sessions: sessions.service,
      clock: systemClock,
      log,
    });
  }
  await sessions[Symbol.asyncDispose]();
  await scratch.sweep(systemClock.now());
  await log[Symbol.asyncDispose]();
}

async function checkInstallation(
  { home, config, environment, exposed, temporary }: AppEnvironment,
  { host }: AppPlugins,
  { models, sandbox }: AppEngine,
  { tools }: AppServices,
): ReturnType<App["doctor"]> {
  const [{ runDoctor }, { checkStore }, { createMediaService }] = await Promise.all([
    import("../services/doctor.ts"),
    import("../store/repair/check-store.ts"),
    import("../media/media-service.ts"),
  ]);
  return [
    ...(await runDoctor({
      home,
      config,
      environment,
      exposed,
      temporary,
      plugins: host.service,
      tools,
      models: await models(),
      media: createMediaService(host.slots, host.service),
      sandbox,
    })),
    ...(await host.checks()),
    ...(await checkStore(home.path)),
  ];
}

async function openBackups(
  { options, home, environment, log, config }: AppEnvironment,
  { sessions }: AppEngine,
  { gateway }: AppServices,
): ReturnType<App["backups"]> {
  const { createBackupService } = await import("../backup/backup-service.ts");
  return createBackupService({
    home: home.path,
    profile: home.profile,
    isProfile: home.path !== home.root,
    version: options.version,
    now: () => systemClock.now(),
    log,
    secretValues: [...environment.secretValues(), ...config.secretValues()],
    backupOwn: (target) => sessions.backup(target),
    takeSeat: async () => (await gateway()).takeSeat(),
  });
}

async function openProfiles(
  { options, userHome, home, log }: AppEnvironment,
  { sessions }: AppEngine,
): ReturnType<App["profiles"]> {
  const { createProfileService } = await import("../profiles/profile-service.ts");
  return createProfileService({
    home,
    root: home.root,
    userHome,
    path: options.env["PATH"] ?? "",
    version: options.version,
    now: () => systemClock.now(),
    log,
    isCommand: (word) => options.reservedWord?.(word) === true,
    backupOwn: (target) => sessions.backup(target),
  });
}

async function openUpdates({ options, home, environment }: AppEnvironment): ReturnType<App["updates"]> {
  const [{ createUpdateService }, { programRoot }, { PROGRAM_VARIABLES }] = await Promise.all([
    import("../updates/update-service.ts"),
    import("../updates/installation.ts"),
    import("../plugins/install/prepare-install.ts"),
  ]);
  return createUpdateService({
    root: programRoot(import.meta.dirname),
    // All profiles use the same program.
    saved: join(home.root, "cache", "updates"),
    version: options.version,
    now: () => systemClock.now(),
    env: environment.childEnvironment(PROGRAM_VARIABLES),
    signal: options.signal,
  });
}

async function countUsage(
  query: InsightsQuery,
  { config, secrets }: AppEnvironment,
  { sessions }: AppEngine,
): ReturnType<App["insights"]> {
  const [{ readInsights }, { usageFacts }, store] = await Promise.all([
    import("../insights/insights.ts"),
    import("../store/service/usage-facts.ts"),
    sessions.store(),
  ]);
  const zone = config.get("timezone");
  return readInsights(query, {
    facts: (fromAt) => usageFacts(store, fromAt),
    now: systemClock.now(),
    timeZone: typeof zone === "string" ? zone : "",
    mask: secrets.redact,
  });
}

/** A plugin's command as the user types it in a session: what it calls happens there. */
function typedIn(current: CurrentCall, command: SlashCommand | undefined): SlashCommand | undefined {
  return (
    command && { ...command, run: (args, call) => current.inSession(call.sessionId, () => command.run(args, call)) }
  );
}

function deferredModels(models: () => Promise<ModelService>): ModelService {
  return {
    current: async () => (await models()).current(),
    contextTokens: async (model) => (await models()).contextTokens(model),
    price: async (model) => (await models()).price(model),
    providers: async () => (await models()).providers(),
    fallbacks: async () => (await models()).fallbacks(),
    findLocal: async (signal) => (await models()).findLocal(signal),
    list: async (provider, signal, unsaved) => (await models()).list(provider, signal, unsaved),
    probe: async (signal) => (await models()).probe(signal),
    check: async (choice, signal) => (await models()).check(choice, signal),
    packages: async () => (await models()).packages(),
    installPackage: async (spec, signal) => (await models()).installPackage(spec, signal),
    choose: async (choice) => (await models()).choose(choice),
  };
}

function deferredAgents(
  { home, log }: AppEnvironment,
  { open, sessions }: AppEngine,
  { openSession }: AppServices,
): { readonly service: App["agents"]; close(): void } {
  let made: ReturnType<typeof createAgentService> | undefined;
  let closed = false;
  const agents = lazily(async () => {
    made = (await import("../background/agent-service.ts")).createAgentService({
      home: home.path,
      log: log.child("agents"),
      open,
      openSession,
      now: () => systemClock.now(),
      chance,
      facts: (sessionId) => sessions.service.factsOf(sessionId),
    });
    if (closed) made.close();
    return made;
  });
  const service = async () => (await agents()).service;
  return {
    service: {
      list: async () => (await service()).list(),
      start: async (request) => (await service()).start(request),
      stop: async (id) => (await service()).stop(id),
      left: async (surface) => (await service()).left(surface),
      resume: async (left, request) => (await service()).resume(left, request),
      forget: async (id) => (await service()).forget(id),
      noteGoal: async (goal) => (await service()).noteGoal(goal),
      goals: async (surface) => (await service()).goals(surface),
      forgetGoal: async (id) => (await service()).forgetGoal(id),
    },
    close() {
      closed = true;
      made?.close();
    },
  };
}

function deferredMedia({ host }: AppPlugins): App["media"] {
  const media = async () => (await import("../media/media-service.ts")).createMediaService(host.slots, host.service);
  return {
    list: async (slot) => (await media()).list(slot),
    setting: async (slot) => (await media()).setting(slot),
    look: async (slot, id) => (await media()).look(slot, id),
    transcribe: async (file, signal) => (await media()).transcribe(file, signal),
  };
}

function deferredSnapshots({ home }: AppEnvironment, { sessions }: AppEngine): App["snapshots"] {
  const snapshots = async () =>
    (await import("../services/snapshot-service.ts")).createSnapshotService({
      home,
      now: () => systemClock.now(),
      backup: (target) => sessions.backup(target),
    });
  return {
    list: async () => (await snapshots()).list(),
    create: async (label) => (await snapshots()).create(label),
    restore: async (which) => (await snapshots()).restore(which),
    prune: async (keep) => (await snapshots()).prune(keep),
  };
}

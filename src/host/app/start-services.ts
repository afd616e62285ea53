import { join } from "node:path";
import type { App, OpenSession } from "../../contract/services/app.ts";
import type { Session } from "../../contract/conversation/session.ts";
import type { TerminalService } from "../../contract/services/terminal-service.ts";
import { openHookService, type OpenHookService } from "../services/hook-service.ts";
import { pursueGoal } from "../goals/pursue-goal.ts";
import { readIdentity } from "./identity.ts";
import { lazily } from "./lazily.ts";
import { openProviders, type ConversationProviders } from "../sessions/open-providers.ts";
import { openSession } from "../sessions/session-opener.ts";
import { openSkills, type Skills } from "../skills/open-skills.ts";
import { systemClock } from "./system-clock.ts";
import { createToolService, type SelectingToolService } from "../tools/tool-service.ts";
import type { AppEngine } from "./prepare-engine.ts";
import type { AppEnvironment } from "./prepare-environment.ts";
import type { AppPlugins } from "./prepare-plugins.ts";
import { servePlugins } from "./serve-plugins.ts";

/** The services for surfaces and plugins. */
export interface AppServices {
  readonly skills: Skills;
  readonly jobs: App["jobs"];
  readonly gateway: App["gateway"];
  readonly terminals: () => Promise<TerminalService>;
  readonly tools: SelectingToolService;
  readonly providers: ConversationProviders;
  readonly hooks: OpenHookService;
  readonly openSession: App["openSession"];
}

/**
 * Stage 4: the services of the process. Then it starts the plugins with them, and adds what has to come after the
 * plugins.
 */
export async function startServices(app: AppEnvironment, plugins: AppPlugins, engine: AppEngine): Promise<AppServices> {
  const { options, userHome, home, environment, log, config, secrets, installed } = app;
  const { host } = plugins;
  const skills = openAppSkills(app, plugins);
  const gateway = openGateway(app, plugins, engine);
  const jobs = openJobs(app, engine, gateway);
  const terminals = lazily(async () =>
    (await import("../tools/terminal-service.ts")).createTerminalService({
      slots: host.slots,
      signal: options.signal,
      probe: (owner) => engine.dispatchPorts.probe(owner, { name: "cli", prompter: false }),
    }),
  );
  const providers = openProviders({
    plugins: host,
    log,
    home: home.path,
    profile: home.profile,
    config: (path) => config.get(path),
    redact: secrets.redact,
    models: engine.models,
  });
  const tools = createToolService({
    filled: (slot) => host.slots.filled(slot),
    tools: host.tools,
    clock: systemClock,
    log,
    probe: engine.dispatchPorts.probe,
    toolsets: engine.toolsets,
    config,
    companions: () => providers.companions(),
    fromOutside: (owner, name) =>
      !installed.index.bundled.some(
        ({ key, manifest, registered }) =>
          key === owner && manifest.opt_in !== true && registered?.tools.some((tool) => tool.name === name) === true,
      ),
  });
  const open = sessionOpener(app, engine, { providers, skills, tools });
  engine.open.onClosed((sessionId) => providers.remembers(sessionId, false));

  await host.start(servePlugins(app, plugins, engine, { skills, jobs, gateway, openSession: open }));
  await plugins.modules.load();
  // The user's hooks run after those of plugins.
  const hooks = await openHookService({
    hooks: host.hooks,
    config,
    home,
    userHome,
    log: log.child("hooks"),
    hosts: plugins.processes,
    events: options.safeMode !== true,
    now: () => systemClock.now(),
    elapsed: () => systemClock.elapsed(),
    childEnvironment: () => environment.childEnvironment([]),
  });
  engine.open.onClosed((sessionId) => hooks.closed(sessionId));
  return { skills, jobs, gateway, terminals, tools, providers, hooks, openSession: open };
}

function openAppSkills({ options, home, environment, log, config, bundledDir }: AppEnvironment, plugins: AppPlugins) {
  return openSkills({
    home,
    bundled: options.env["HERMES_BUNDLED_SKILLS"] || join(bundledDir, "../skills"),
    version: options.version,
    log: log.child("skills"),
    config: (path) => config.get(path),
    setConfig: (path, value) => config.set(path, value),
    programEnvironment: async () =>
      environment.childEnvironment((await import("../plugins/install/prepare-install.ts")).PROGRAM_VARIABLES),
    env: (name) => environment.get(name),
    plugins: plugins.host,
  });
}

function openGateway(
  { userHome, home, environment, secrets }: AppEnvironment,
  { host }: AppPlugins,
  { sessions }: AppEngine,
): App["gateway"] {
  return lazily(async () =>
    (await import("../services/gateway-service.ts")).createGatewayService({
      slots: host.slots,
      environment,
      home,
      sessions,
      mask: secrets.redact,
      userHome,
    }),
  );
}

function openJobs(
  { home, environment, log, config, secrets }: AppEnvironment,
  { sessions }: AppEngine,
  gateway: App["gateway"],
): App["jobs"] {
  return lazily(async () =>
    (await import("../jobs/job-service.ts")).createJobService({
      home,
      log: log.child("cron"),
      store: () => sessions.store(),
      config: (path) => config.get(path),
      now: () => systemClock.now(),
      mask: secrets.mask,
      redact: secrets.redact,
      childEnvironment: () => environment.childEnvironment([]),
      chatOf: async (sessionId) =>
        (await import("../jobs/chat-of.ts")).chatOf(await (await gateway()).lanes(), sessionId),
    }),
  );
}

function sessionOpener(
  { home, log, config, secrets }: AppEnvironment,
  { sessions, open, current, origins, budgets, models, approvals, dispatchPorts, calls }: AppEngine,
  { providers, skills, tools }: Pick<AppServices, "providers" | "skills" | "tools">,
): App["openSession"] {
  return async (request: OpenSession): Promise<Session> => {
    await providers.open();
    const session = await openSession(
      {
        calls: { ...calls, ports: dispatchPorts },
        tools,
        store: await sessions.store(),
        open,
        origins,
        budgets,
        secrets,
        shared: approvals.shared,
        context: providers.context,
        remembers: providers.remembers,
        prompt: {
          identity: () => readIdentity(home),
          remembered: (sessionId, surface) => providers.remembered(sessionId, surface),
          skillIndex: (offered, surface) => skills.index(offered, surface),
        },
        model: async (choice, chosen, subagent) => {
          const service = await models();
          return current.forUser(request.prompter, () => service[subagent ? "delegated" : "inUse"](choice, chosen));
        },
      },
      request,
    );
    current.enter(session, request.attended, request.prompter);
    // Elsewhere no one would see the turns.
    if (request.attended === true)
      pursueGoal(session, {
        log,
        clock: systemClock,
        config: (path) => config.get(path),
        model: async () => (await models()).auxiliary("goal_judge"),
        facts: (sessionId) => sessions.service.factsOf(sessionId),
      });
    return session;
  };
}

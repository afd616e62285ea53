import type { Budgets, DispatchPorts } from "../../engine/ports.ts";
import { toolWithRole } from "../../engine/tools/tool-role.ts";
import { createToolsets, customToolsets, type Toolsets } from "../../engine/tools/toolsets.ts";
import { openApprovals, type Approvals } from "../approvals/open-approvals.ts";
import { CurrentCall } from "../sessions/current-call.ts";
import type { openCosts } from "../costs/open-costs.ts";
import { SessionOrigins } from "../costs/session-origins.ts";
import { callPipeline, type CallPipeline } from "./call-pipeline.ts";
import { lazily } from "./lazily.ts";
import type { ConnectingModelService } from "../models/model-service.ts";
import { createProbe } from "../services/probe.ts";
import { openScratch, type Scratch } from "../environment/scratch.ts";
import { openSessions, type Sessions } from "../sessions/sessions.ts";
import { randomIds, systemClock } from "./system-clock.ts";
import { openWeb, openWebProxy, openWebSockets, type WebPorts } from "../web/open-web.ts";
import type { FoundPlugin } from "../plugins/discovery/discovery.ts";
import { OpenSessions } from "./open-sessions.ts";
import type { AppEnvironment } from "./prepare-environment.ts";
import type { AppPlugins } from "./prepare-plugins.ts";

/** The parts that a turn uses. */
export interface AppEngine {
  /** Stored sessions. */
  readonly sessions: Sessions;
  /** Open sessions. */
  readonly open: OpenSessions;
  readonly current: CurrentCall;
  /** For whom the open sessions send requests. */
  readonly origins: SessionOrigins;
  readonly budgets: Budgets;
  readonly web: AppWeb;
  readonly models: () => Promise<ConnectingModelService>;
  readonly toolsets: Toolsets;
  readonly scratch: Scratch;
  readonly approvals: Approvals;
  readonly sandbox: Sandbox;
  readonly dispatchPorts: DispatchPorts;
  readonly calls: CallPipeline;
}

/** Guarded network access. */
export interface AppWeb {
  readonly fetch: ReturnType<typeof openWeb>;
  readonly socket: ReturnType<typeof openWebSockets>;
  readonly proxy: ReturnType<typeof openWebProxy>;
}

type Sandbox = Parameters<typeof openApprovals>[0]["sandbox"];

/** Stage 3: store, models, network, approvals, and the dispatch of tool calls. */
export async function prepareEngine(app: AppEnvironment, plugins: AppPlugins): Promise<AppEngine> {
  const { userHome, home, environment, log, config, secrets, installed } = app;
  const { host, declaredEnv } = plugins;
  const sessions = openSessions({ home, log, mask: secrets.mask });
  const open = new OpenSessions();
  const current = new CurrentCall(randomIds, open);
  const costs = billSlots(app, plugins, { sessions, open, current });
  const web = openAppWeb(app, plugins);
  const toolsets = createToolsets({
    tools: host.tools,
    toolsets: host.toolsets,
    custom: () => customToolsets(config.get("custom_toolsets")),
    askedFor: optIns(() => installed.index.bundled),
  });
  const scratch = openScratch(home);
  const probe: DispatchPorts["probe"] = (owner, surface) =>
    createProbe({
      declared: declaredEnv(owner),
      env: (name) => environment.get(name),
      config: (path) => config.get(path),
      surface,
    });
  const models = openModels(app, plugins, probe, costs.load);
  const sandbox: Sandbox = async () => (await host.slots.use("terminal")).sandbox?.();
  const approvals = await openApprovals({
    config,
    home: userHome,
    agentHome: home.path,
    redact: secrets.redact,
    models,
    sessions: () => sessions.service,
    store: () => sessions.store(),
    log,
    commandTool: async () => toolWithRole(host.tools, "shell")?.value.load(),
    sandbox,
  });
  const dispatchPorts: DispatchPorts = {
    tools: host.tools,
    hooks: host.hooks,
    middlewares: host.middlewares,
    approvers: approvals.approvers,
    smart: approvals.smart,
    absent: approvals.absent,
    clock: systemClock,
    ids: randomIds,
    log,
    home: userHome,
    agentHome: home.path,
    redact: secrets.redact,
    redactSteps: secrets.redact.steps,
    spill: (sessionId, callId, text) => scratch.spill(sessionId, callId, text),
    scratch: (sessionId) => scratch.folder(sessionId),
    use: (slot, id) => host.slots.use(slot, id),
    filled: (slot) => host.slots.filled(slot),
    fetch: web.fetch,
    running: (owner, tool) => current.running(owner, tool),
    secret: (name) => environment.get(name),
    env: (owner, name) => (declaredEnv(owner).some((need) => need.name === name) ? environment.get(name) : undefined),
    config: (path) => config.get(path),
    probe,
  };
  const pipeline = callPipeline(dispatchPorts);
  return {
    sessions,
    open,
    current,
    origins: costs.origins,
    budgets: costs.budgets,
    web,
    models,
    toolsets,
    scratch,
    approvals,
    sandbox,
    dispatchPorts,
    calls: { ...pipeline, dispatch: current.around(pipeline.dispatch) },
  };
}

/** Tells of a plugin whether it is bundled and off by default. Asked of every tool at each start. */
function optIns(bundled: () => readonly FoundPlugin[]): (owner: string) => boolean {
  let known: readonly FoundPlugin[] | undefined;
  let keys: ReadonlySet<string> = new Set();
  return (owner) => {
    const now = bundled();
    if (now !== known) keys = new Set(now.flatMap(({ key, manifest }) => (manifest.opt_in === true ? [key] : [])));
    known = now;
    return keys.has(owner);
  };
}

/** From here on every request to a model or a paid service has a row in the ledger. Loaded with the first of them. */
function billSlots(
  { log, config }: AppEnvironment,
  { host }: AppPlugins,
  { sessions, open, current }: Pick<AppEngine, "sessions" | "open" | "current">,
): Pick<AppEngine, "origins" | "budgets"> & { load(): Promise<unknown> } {
  const origins = new SessionOrigins();
  open.onClosed((sessionId) => origins.closed(sessionId));
  let opened: ReturnType<typeof openCosts> | undefined;
  const load = lazily(async () => {
    const costs = await import("../costs/open-costs.ts");
    opened = costs.openCosts({
      clock: systemClock,
      log,
      origins,
      store: () => sessions.store(),
      config: (path) => config.get(path),
      place: () => current.request,
    });
    return opened;
  });
  host.slots.billBy(async (slot, id, provider) => (await load()).bill(slot, id, provider));
  return {
    origins,
    load,
    budgets: {
      notices: (sessionId) => opened?.budgets.notices(sessionId) ?? [],
      raise: async (sessionId, ask) => (await opened?.budgets.raise(sessionId, ask)) ?? false,
    },
  };
}

function openAppWeb({ home, config, environment, secrets }: AppEnvironment, plugins: AppPlugins): AppWeb {
  const ports: WebPorts = {
    home: home.path,
    config: (path) => config.get(path),
    env: (name) => environment.get(name),
    secrets: () => secrets.values(),
    declaredEnv: (owner) => plugins.declaredEnv(owner),
    section: (owner) => plugins.host.configSection(owner),
    providedBy: (slot, provider) => plugins.host.slots.ownerOf(slot, provider),
  };
  return { fetch: openWeb(ports), socket: openWebSockets(ports), proxy: openWebProxy(ports) };
}

/** Loaded with the first turn. */
function openModels(
  { options, home, config, environment, log }: AppEnvironment,
  { host }: AppPlugins,
  probe: DispatchPorts["probe"],
  loadCosts: () => Promise<unknown>,
): () => Promise<ConnectingModelService> {
  return lazily(async () => {
    const [{ createModelService }, { withProfiles }, { savedKeysPast, savedWindows }] = await Promise.all([
      import("../models/model-service.ts"),
      import("../models/model-profiles.ts"),
      import("../models/key-history.ts"),
      loadCosts(),
    ]);
    return createModelService({
      config,
      environment,
      log,
      keysPast: savedKeysPast(home.file("cache", "keys-past.json")),
      windowsPast: savedWindows(home.file("cache", "model-windows.json")),
      slots: withProfiles(host.slots, (name) => environment.get(name), log),
      signal: options.signal,
      async installPackage(spec, signal) {
        const [{ installOwnPackage }, { PROGRAM_VARIABLES }] = await Promise.all([
          import("../plugins/packages/own-packages.ts"),
          import("../plugins/install/prepare-install.ts"),
        ]);
        const hours = config.get("plugins.cooling_off_hours");
        await installOwnPackage(spec, home.file("packages"), {
          env: environment.childEnvironment(PROGRAM_VARIABLES),
          signal,
          publishedBefore:
            typeof hours === "number" && hours > 0 ? new Date(Date.now() - hours * 3_600_000) : undefined,
        });
      },
      probe: (provider) => probe(host.slots.ownerOf("model", provider) ?? "", { name: "cli", prompter: false }),
    });
  });
}

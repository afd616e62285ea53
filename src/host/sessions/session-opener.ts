import { hostname } from "node:os";
import type { OpenSession } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { TOOL_BRIDGE } from "../../contract/tools/deferred-tool.ts";
import type { Recorded } from "../../contract/conversation/fact.ts";
import type { Prompter } from "../../contract/conversation/question.ts";
import type { Session } from "../../contract/conversation/session.ts";
import type { Lease, SessionStore } from "../../contract/conversation/store.ts";
import { definitions } from "../../engine/tools/definitions.ts";
import type {
  ChildRequest,
  Dispatch,
  DispatchPorts,
  JudgeEffect,
  ModelInUse,
  ParentState,
  RequestSources,
  SessionOptions,
  SessionPorts,
  SessionStorage,
  SessionTools,
} from "../../engine/ports.ts";
import { createSession } from "../../engine/session/session.ts";
import type { KnownMask } from "../../safety/secrets/known-values.ts";
import { maskFact } from "../masking/mask-fact.ts";
import { maskedClient } from "../masking/masked-client.ts";
import { maskedPrompter } from "../masking/masked-prompter.ts";
import { maskedStore } from "../masking/masked-store.ts";
import { readFolderNotes, readProjectNotes } from "./project-notes.ts";
import { prepareTools } from "../tools/prepare-tools.ts";
import { turnConfig } from "./turn-config.ts";
import { buildSessionPrefix, type PromptSources } from "./session-prefix.ts";
import { newSessionId } from "../store/facts/session-id.ts";
import { chance } from "../app/system-clock.ts";
import type { SessionOrigins } from "../costs/session-origins.ts";
import type { OpenSessions } from "../app/open-sessions.ts";
import type { SelectingToolService } from "../tools/tool-service.ts";

export interface OpenerPorts {
  readonly calls: CallPorts;
  readonly tools: SelectingToolService;
  readonly store: SessionStore;
  readonly open: OpenSessions;
  /** For whom sessions send requests. */
  readonly origins: SessionOrigins;
  readonly budgets: SessionPorts["budgets"];
  readonly secrets: SecretPorts;
  /** Lets other processes of the home answer approval questions of a session. */
  shared(prompter: Prompter, surface: string): Prompter;
  readonly prompt: PromptSources;
  readonly context: SessionPorts["context"];
  /** Sets whether a memory provider takes part in that session: recalls for it, and stores its messages. */
  remembers(sessionId: string, takesPart: boolean): void;
  /** @param subagent The model that subagents use, if the settings name one. */
  model(
    choice: OpenSession["model"],
    chosen: { readonly provider: string; readonly model: string } | undefined,
    subagent: boolean,
  ): Promise<ModelInUse>;
}

/** How the session's tool calls run. */
interface CallPorts {
  readonly ports: DispatchPorts;
  readonly dispatch: Dispatch;
  readonly judgeEffect: JudgeEffect;
  /** Loads the code of both before the first call needs it. */
  load(): Promise<unknown>;
}

interface SecretPorts {
  /** Masks stored secrets, and nothing else, in everything that is stored and shown. */
  readonly mask: KnownMask;
  /** Adds a secret that the user typed. */
  add(secret: string): void;
}

/** The properties of a subagent's session. */
interface Child {
  readonly request: ChildRequest;
  readonly parentId: string;
  readonly parent: ParentState;
  /** Tools of the parent, as selected for it. */
  readonly names: readonly string[];
}

/**
 * Opens a session for one run: takes its lease, reads its facts, and ties it to the tools and the model of this run.
 */
export async function openSession(ports: OpenerPorts, options: OpenSession): Promise<Session> {
  const { prompter } = options;
  return openUnder(
    ports,
    prompter === undefined
      ? options
      : {
          ...options,
          prompter: maskedPrompter(ports.shared(prompter, options.surface), ports.secrets.mask, ports.secrets.add),
        },
    undefined,
  );
}

/** The data of a session after its lease is taken and its facts are read. */
interface Opening {
  readonly ports: OpenerPorts;
  readonly options: OpenSession;
  readonly child: Child | undefined;
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly cwd: string;
  /** Names of its tools when it was opened. */
  readonly names: readonly string[];
  /** Whether it reads project notes. */
  readonly readsNotes: boolean;
  readonly remembering: boolean;
  /** Limit of a file of project notes. */
  readonly maxChars: number | undefined;
}

async function openUnder(ports: OpenerPorts, options: OpenSession, child: Child | undefined): Promise<Session> {
  const { tools, open, secrets } = ports;
  const { clock, config, redact } = ports.calls.ports;
  const store = maskedStore(ports.store, secrets.mask);
  const names = child?.names ?? tools.select(options.surface, options.toolsets);
  const sessionId = options.sessionId ?? newSessionId(clock.now(), chance, options.place === undefined ? 6 : 8);
  const lease = await store.lease(sessionId, `${options.surface} (process ${process.pid} on ${hostname()})`);
  if (!("fence" in lease))
    throw new UserError(`Session ${sessionId} is in use by ${lease.heldBy}.`, {
      hint: "End it there, or branch it: hermes sessions branch " + sessionId,
    });
  const readsNotes = options.ignoreRules !== true;
  const remembering = readsNotes && options.ignoreMemory !== true;
  ports.remembers(sessionId, remembering);
  if (options.whose !== undefined) open.setInjected(sessionId, options.whose);
  if (child !== undefined) ports.origins.openedBelow(sessionId, child.parentId);
  else
    ports.origins.opened(sessionId, {
      user: options.whose,
      job: options.job?.id,
      topSessionId: options.job?.sessionId,
    });
  try {
    const facts: Recorded[] = options.sessionId === undefined ? [] : await Array.fromAsync(store.read(sessionId));
    const draft = facts.length === 0 ? undefined : await store.draft?.(sessionId);
    const started = facts.find(({ fact }) => fact.type === "session.started")?.fact;
    const limit = config("context_file_max_chars");
    const maxChars = typeof limit === "number" && limit > 0 ? limit : undefined;
    const found = readsNotes && started === undefined ? readProjectNotes(options.cwd, maxChars) : undefined;
    const cwd = started?.type === "session.started" && options.sessionId !== undefined ? started.cwd : options.cwd;
    const opening: Opening = {
      ports,
      options,
      child,
      store,
      sessionId,
      cwd,
      names,
      readsNotes,
      remembering,
      maxChars,
    };
    const closing: Lease = {
      ...lease,
      async [Symbol.asyncDispose]() {
        open.close(sessionId);
        await lease[Symbol.asyncDispose]();
      },
    };
    const session = createSession(sessionPorts(opening), {
      sessionId,
      surface: options.surface,
      cwd,
      prompter: options.prompter,
      yolo: options.yolo ?? false,
      lease: closing,
      facts,
      draft,
      whose: options.whose,
      notes: found === undefined ? undefined : { ...found, text: redact(found.text) },
      subagent: child === undefined ? undefined : startOf(child),
    });
    open.add(
      session,
      child && { parentId: child.parentId, goal: redact(child.request.task.goal), startedAt: clock.now() },
    );
    return session;
  } catch (error) {
    open.close(sessionId);
    await lease[Symbol.asyncDispose]();
    throw error;
  }
}

function sessionPorts(opening: Opening): SessionPorts {
  const { ports, options } = opening;
  const { clock, ids, log, hooks, middlewares, config } = ports.calls.ports;
  return {
    clock,
    ids,
    chance,
    log,
    hooks,
    middlewares,
    // Read while a turn runs: an edit of config.yaml counts from the next turn.
    get config() {
      return turnConfig(config, options);
    },
    ...storageOf(opening),
    ...toolsOf(opening),
    ...requestsOf(opening),
  };
}

function storageOf({ ports, store }: Opening): SessionStorage {
  const { ports: dispatchPorts } = ports.calls;
  return {
    store,
    stored: (fact) => maskFact(fact, ports.secrets.mask),
    redact: dispatchPorts.redact,
    async spill(id, name, text) {
      const directory = dispatchPorts.config("hooks.output_spill.directory");
      if (typeof directory !== "string" || directory === "") return dispatchPorts.spill(id, name, text);
      return (await import("./spill-context.ts")).spillContext(directory, dispatchPorts, id, name, text);
    },
  };
}

function toolsOf({ ports, options, child, sessionId, cwd, names }: Opening): SessionTools {
  const { ports: dispatchPorts, dispatch, judgeEffect, load } = ports.calls;
  return {
    dispatch,
    judgeEffect,
    selected: () => child?.names ?? ports.tools.select(options.surface, options.toolsets),
    whileAsking: (tools) => prepareTools(dispatchPorts, tools, load),
    whileAway: async (tools, session) =>
      tools.some((name) => dispatchPorts.tools.get(name)?.declaration.reportsAway === true)
        ? (await import("../../engine/turn/absence-notices.ts")).whileAway(dispatchPorts, tools, session)
        : [],
    openChild: async (request, parent) =>
      openUnder(ports, childOptions({ ...options, cwd }, request), {
        request,
        parentId: sessionId,
        parent,
        names: await childTools(ports, options, request, parent.offered.size > 0 ? [...parent.offered] : names),
      }),
  };
}

function requestsOf(opening: Opening): RequestSources {
  const { ports, options, child, sessionId, names, readsNotes, remembering, maxChars } = opening;
  const { mask } = ports.secrets;
  return {
    context: ports.context,
    budgets: ports.budgets,
    folderNotes: readsNotes ? (from, paths, known) => readFolderNotes(from, paths, known, maxChars) : undefined,
    async model({ chosen }) {
      const inUse = await ports.model(options.model, chosen ?? child?.parent.chosen, child !== undefined);
      return {
        ...inUse,
        client: maskedClient(inUse.client, mask),
        fallbacks: inUse.fallbacks.map((one) => ({ ...one, client: maskedClient(one.client, mask) })),
      };
    },
    prefix: (session) =>
      buildSessionPrefix(
        { dispatchPorts: ports.calls.ports, sources: ports.prompt, mask },
        { sessionId, names, remembering, place: options.place, task: child?.request.task },
        session,
      ),
  };
}

/**
 * Options of a subagent's session: the surface and approval policy of its parent, but not the parent's messages,
 * memories or project notes.
 */
function childOptions(
  { surface, prompter, cwd, whose, yolo, model, maxTurns }: OpenSession,
  { task }: ChildRequest,
): OpenSession {
  return {
    surface,
    cwd,
    ignoreRules: true,
    whose,
    yolo,
    prompter,
    model,
    maxTurns: task.maxRequests === undefined && maxTurns === undefined ? undefined : (task.maxRequests ?? maxTurns!),
  };
}

/**
 * Never more than its parent has. @throws {UserError} for a name that is no toolset or tool, and when nothing is left.
 */
async function childTools(
  { tools, calls }: OpenerPorts,
  { surface, prompter }: OpenSession,
  { task }: ChildRequest,
  parents: readonly string[],
): Promise<readonly string[]> {
  const wanted = task.toolsets === undefined ? undefined : new Set(tools.select(surface, { enabled: task.toolsets }));
  const without = new Set(task.without);
  const names = parents.filter((name) => !without.has(name) && wanted?.has(name) !== false);
  // The parent's deferred tools may include some that cannot run here.
  const { offers } =
    wanted !== undefined && parents.includes(TOOL_BRIDGE.call)
      ? await definitions(calls.ports, { names, surface, prompter: prompter !== undefined })
      : { offers: names };
  if (offers.length === 0)
    throw new UserError(
      `No tool of ${task.toolsets?.join(", ") ?? "its parent's tools"} is available for a subagent here.`,
      {
        hint: "`hermes tools list` shows tools and their toolsets.",
      },
    );
  return names;
}

function startOf({ request, parentId, parent: { untrusted, grants } }: Child): NonNullable<SessionOptions["subagent"]> {
  const { callId, task, depth } = request;
  return {
    parentId,
    grants,
    start: {
      callId,
      goal: task.goal,
      depth,
      foreign: untrusted === undefined ? undefined : { sources: untrusted.sources, changed: untrusted.changed },
    },
  };
}

import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { OpenSession } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { TOOL_BRIDGE } from "../../contract/tools/deferred-tool.ts";
import type { Recorded } from "../../contract/conversation/fact.ts";
import type { ToolOffer } from "../../contract/providers/model.ts";
import type { Session } from "../../contract/conversation/session.ts";
import type { Lease, SessionStore } from "../../contract/conversation/store.ts";
import { definitions, type Definitions } from "../../engine/tools/definitions.ts";
import { holdBack, sourceOf } from "../../engine/tools/deferred-tools.ts";
import type {
  ChildRequest,
  Dispatch,
  DispatchPorts,
  JudgeEffect,
  ModelInUse,
  ParentState,
  SessionOptions,
  SessionPorts,
} from "../../engine/ports.ts";
import { buildPrefix } from "../../engine/transcript/prompt.ts";
import { createSession } from "../../engine/session/session.ts";
import type { KnownMask } from "../../safety/secrets/known-values.ts";
import { maskFact } from "../masking/mask-fact.ts";
import { maskedClient } from "../masking/masked-client.ts";
import { maskedPerson } from "../masking/masked-prompter.ts";
import { maskedStore } from "../masking/masked-store.ts";
import { readFolderNotes, readProjectNotes } from "./project-notes.ts";
import { prepareTools } from "../tools/prepare-tools.ts";
import { turnConfig } from "./turn-config.ts";
import { newSessionId } from "../store/facts/session-id.ts";
import { chance } from "../app/system-clock.ts";
import type { OpenSessions } from "../app/open-sessions.ts";
import type { SelectingToolDesk } from "../tools/tool-service.ts";

export interface OpenerPorts {
  readonly calls: CallPorts;
  readonly tools: SelectingToolDesk;
  readonly store: SessionStore;
  readonly open: OpenSessions;
  readonly secrets: SecretPorts;
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
}

interface SecretPorts {
  /** Masks stored secrets, and nothing else, in everything that is stored and shown. */
  readonly mask: KnownMask;
  /** Adds a secret that the user typed. */
  add(secret: string): void;
}

/** Sections of a new system prompt. */
interface PromptSources {
  /** Who the agent is, from `SOUL.md`; undefined for our own text. */
  identity(): Promise<string | undefined>;
  /** Sections with what is remembered of the user. */
  remembered(sessionId: string, surface: string): Promise<readonly string[]>;
  /** The section that names skills; read if skills can be loaded. */
  skillIndex(
    offered: { readonly tools: ReadonlySet<string>; readonly toolsets: ReadonlySet<string> },
    surface: string,
  ): Promise<string>;
}

/** What makes a session a subagent's. */
interface Child {
  readonly request: ChildRequest;
  readonly parentId: string;
  readonly parent: ParentState;
  /** Tools of the parent, as selected for it. */
  readonly names: readonly string[];
}

/** Opens a session for one run: takes its lease, reads its facts, and ties it to the tools and the model of this run. */
export async function openSession(ports: OpenerPorts, options: OpenSession): Promise<Session> {
  const { person } = options;
  return openUnder(
    ports,
    person === undefined
      ? options
      : { ...options, person: maskedPerson(person, ports.secrets.mask, ports.secrets.add) },
    undefined,
  );
}

async function openUnder(ports: OpenerPorts, options: OpenSession, child: Child | undefined): Promise<Session> {
  const {
    calls: { ports: dispatchPorts, dispatch, judgeEffect },
    secrets: { mask },
    open,
  } = ports;
  const store = maskedStore(ports.store, mask);
  const { clock, ids, log, hooks, middlewares, config, redact } = dispatchPorts;
  const names = child?.names ?? ports.tools.select(options.surface, options.toolsets);
  const sessionId = options.sessionId ?? newSessionId(clock.now(), chance, options.place === undefined ? 6 : 8);
  const lease = await store.lease(sessionId, `${options.surface} (process ${process.pid} on ${hostname()})`);
  if (!("fence" in lease))
    throw new UserError(`Session ${sessionId} is in use by ${lease.heldBy}.`, {
      hint: "End it there, or branch it: hermes sessions branch " + sessionId,
    });
  const rules = options.ignoreRules !== true;
  const remembering = rules && options.ignoreMemory !== true;
  ports.remembers(sessionId, remembering);
  if (options.whose !== undefined) open.setGuest(sessionId, options.whose);
  try {
    const facts: Recorded[] = options.sessionId === undefined ? [] : await Array.fromAsync(store.read(sessionId));
    const started = facts.find(({ fact }) => fact.type === "session.started")?.fact;
    const limit = config("context_file_max_chars");
    const maxChars = typeof limit === "number" && limit > 0 ? limit : undefined;
    const sessionPorts: SessionPorts = {
      store,
      kept: (fact) => maskFact(fact, mask),
      dispatch,
      judgeEffect,
      hooks,
      middlewares,
      clock,
      ids,
      chance,
      log,
      redact,
      async spill(id, name, text) {
        const directory = config("hooks.output_spill.directory");
        if (typeof directory !== "string" || directory === "") return dispatchPorts.spill(id, name, text);
        return (await import("./spill-context.ts")).spillContext(directory, dispatchPorts, id, name, text);
      },
      context: ports.context,
      // Asked for as a turn goes on: an edit of config.yaml counts from the next turn.
      get config() {
        return turnConfig(config, options);
      },
      whileAsking: (tools) => prepareTools(dispatchPorts, tools),
      whileAway: async (tools, session) =>
        tools.some((name) => dispatchPorts.tools.get(name)?.declaration.tellsAway === true)
          ? (await import("../../engine/turn/absence-notices.ts")).whileAway(dispatchPorts, tools, session)
          : [],
      async model({ chosen }) {
        const inUse = await ports.model(options.model, chosen ?? child?.parent.chosen, child !== undefined);
        return {
          ...inUse,
          client: maskedClient(inUse.client, mask),
          fallbacks: inUse.fallbacks.map((one) => ({ ...one, client: maskedClient(one.client, mask) })),
        };
      },
      ...(!rules ? {} : { folderNotes: (from, paths, known) => readFolderNotes(from, paths, known, maxChars) }),
      openChild: async (request, parent) =>
        openUnder(ports, childOptions({ ...options, cwd }, request), {
          request,
          parentId: sessionId,
          parent,
          names: await childTools(ports, options, request, parent.offered.size > 0 ? [...parent.offered] : names),
        }),
      selected: () => child?.names ?? ports.tools.select(options.surface, options.toolsets),
      async prefix({ surface, person, contextTokens }) {
        const timeZone = config("timezone");
        const day = { date: new Date(clock.now()), ...(typeof timeZone === "string" ? { timeZone } : {}) };
        const [{ offers, hidden }, words]: [Definitions, OwnWords] = await Promise.all([
          definitions(dispatchPorts, { names: [...names, ...Object.values(TOOL_BRIDGE)], surface, person }),
          child === undefined
            ? ownWords(ports, sessionId, surface, remembering, options.place)
            : { surface: SUBAGENT, identity: child.request.task.identity },
        ]);
        for (const { name, reason } of hidden) log.debug(`The tool "${name}" is not offered: ${reason}`);
        const carried = holdBack(offers, {
          config,
          contextTokens,
          sourceOf: (name) => sourceOf(dispatchPorts, name).source_name,
        });
        const told =
          child === undefined && remembering
            ? await toldByTools(
                ports,
                carried.map((offer) => offer.name),
              )
            : [];
        return buildPrefix({
          surface,
          ...words,
          extra: [...(await skillsTold(ports, offers, surface)), ...(words.extra ?? []), ...told],
          offers: carried,
          ...day,
        });
      },
    };
    const found = rules && started === undefined ? readProjectNotes(options.cwd, maxChars) : undefined;
    const notes = found === undefined ? undefined : { ...found, text: redact(found.text) };
    const cwd = started?.type === "session.started" && options.sessionId !== undefined ? started.cwd : options.cwd;
    const told: Lease = {
      ...lease,
      async [Symbol.asyncDispose]() {
        open.close(sessionId);
        await lease[Symbol.asyncDispose]();
      },
    };
    const session = createSession(sessionPorts, {
      sessionId,
      surface: options.surface,
      cwd,
      person: options.person,
      yolo: options.yolo ?? false,
      lease: told,
      facts,
      ...(options.whose === undefined ? {} : { whose: options.whose }),
      ...(notes === undefined ? {} : { notes }),
      ...(child === undefined ? {} : { subagent: startOf(child) }),
    });
    open.add(session);
    return session;
  } catch (error) {
    open.close(sessionId);
    await lease[Symbol.asyncDispose]();
    throw error;
  }
}

interface OwnWords {
  readonly surface?: string;
  readonly identity: string | undefined;
  readonly extra?: readonly string[];
}

/** Who the agent is, what its person added, what is remembered. */
async function ownWords(
  { prompt, secrets: { mask }, calls }: OpenerPorts,
  sessionId: string,
  surface: string,
  remembering: boolean,
  place: string | undefined,
): Promise<OwnWords> {
  const [self, known] = await Promise.all([
    prompt.identity(),
    remembering ? prompt.remembered(sessionId, surface) : [],
  ]);
  const extra = calls.ports.config("agent.system_prompt");
  return {
    identity: self === undefined ? undefined : mask(self),
    extra: [
      ...(place === undefined || place === "" ? [] : [place]),
      ...(typeof extra === "string" && extra !== "" ? [extra] : []),
      ...known,
    ].map((section) => mask(section)),
  };
}

/** What tools keep in files of the home; without such files none of their code is loaded. */
async function toldByTools(
  { calls: { ports }, secrets: { mask } }: OpenerPorts,
  offered: readonly string[],
): Promise<readonly string[]> {
  const { tools, agentHome, config } = ports;
  const asked = offered.filter(
    (name) => tools.get(name)?.declaration.promptFiles?.some((file) => existsSync(join(agentHome, file))) === true,
  );
  if (asked.length === 0) return [];
  const { promptSections } = await import("../../engine/transcript/prompt-sections.ts");
  return (await promptSections(ports, asked, { agentHome, config })).map((section) => mask(section));
}

/** The tool by which a model loads a skill: without it nothing is told of any. */
const LOADS_SKILLS = "skill_view";

async function skillsTold(
  {
    prompt,
    secrets: { mask },
    calls: {
      ports: { tools },
    },
  }: OpenerPorts,
  offers: readonly ToolOffer[],
  surface: string,
): Promise<readonly string[]> {
  if (!offers.some(({ name }) => name === LOADS_SKILLS)) return [];
  const names = offers.map(({ name }) => name);
  const index = await prompt.skillIndex(
    { tools: new Set(names), toolsets: new Set(names.flatMap((name) => tools.get(name)?.declaration.toolset ?? [])) },
    surface,
  );
  return index === "" ? [] : [mask(index)];
}

/** The surface that a subagent's system prompt is written for. */
const SUBAGENT = "subagent";

/** Its parent's surface, and with it its policy; none of what its parent's person said, remembers or keeps in the project. */
function childOptions(
  { surface, person, cwd, whose, yolo, model, maxTurns }: OpenSession,
  { task }: ChildRequest,
): OpenSession {
  return {
    surface,
    cwd,
    ignoreRules: true,
    ...(whose === undefined ? {} : { whose }),
    ...(yolo === undefined ? {} : { yolo }),
    ...(person === undefined ? {} : { person }),
    ...(model === undefined ? {} : { model }),
    ...(task.maxRequests === undefined && maxTurns === undefined ? {} : { maxTurns: task.maxRequests ?? maxTurns! }),
  };
}

/** Never more than its parent has. @throws {UserError} for a name that is no toolset or tool, and when nothing is left. */
async function childTools(
  { tools, calls }: OpenerPorts,
  { surface, person }: OpenSession,
  { task }: ChildRequest,
  parents: readonly string[],
): Promise<readonly string[]> {
  const wanted = task.toolsets === undefined ? undefined : new Set(tools.select(surface, { enabled: task.toolsets }));
  const without = new Set(task.without);
  const names = parents.filter((name) => !without.has(name) && wanted?.has(name) !== false);
  // Among what is held back from its parent there may be tools that cannot run here.
  const { offers } =
    wanted !== undefined && parents.includes(TOOL_BRIDGE.call)
      ? await definitions(calls.ports, { names, surface, person: person !== undefined })
      : { offers: names };
  if (offers.length === 0)
    throw new UserError(`None of ${task.toolsets?.join(", ") ?? "its parent's tools"} is left for a subagent here.`, {
      hint: "`hermes tools list` shows tools and their toolsets.",
    });
  return names;
}

function startOf({ request, parentId, parent: { foreign, grants } }: Child): NonNullable<SessionOptions["subagent"]> {
  const { callId, task, depth } = request;
  return {
    parentId,
    grants,
    start: {
      callId,
      goal: task.goal,
      depth,
      ...(foreign === undefined ? {} : { foreign: { sources: foreign.sources, changed: foreign.changed } }),
    },
  };
}

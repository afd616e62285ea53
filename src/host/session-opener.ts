import { hostname } from "node:os";
import type { OpenSession } from "../contract/app.ts";
import { UserError } from "../contract/failure.ts";
import type { Recorded } from "../contract/fact.ts";
import type { Session } from "../contract/session.ts";
import type { SessionStore } from "../contract/store.ts";
import { definitions } from "../engine/definitions.ts";
import type { Dispatch, DispatchPorts, JudgeEffect, ModelInUse, SessionPorts } from "../engine/ports.ts";
import { buildPrefix } from "../engine/prompt.ts";
import { createSession } from "../engine/session.ts";
import type { KnownMask } from "../safety/known-values.ts";
import { maskFact } from "./masking/mask-fact.ts";
import { maskedClient } from "./masking/masked-client.ts";
import { maskedPerson } from "./masking/masked-person.ts";
import { maskedStore } from "./masking/masked-store.ts";
import { readFolderNotes, readProjectNotes } from "./project-notes.ts";
import { prepareTools } from "./prepare-tools.ts";
import { turnConfig } from "./turn-config.ts";
import { newSessionId } from "./store/session-id.ts";
import { chance } from "./system-clock.ts";
import type { SelectingToolDesk } from "./tool-desk.ts";

export interface OpenerPorts {
  readonly dispatchPorts: DispatchPorts;
  readonly dispatch: Dispatch;
  /** Masks stored secrets, and nothing else, in all that is kept and shown. */
  readonly mask: KnownMask;
  /** Told each secret that a person types. */
  heard(secret: string): void;
  readonly judgeEffect: JudgeEffect;
  readonly tools: SelectingToolDesk;
  readonly store: SessionStore;
  /** Who the agent is, from `SOUL.md`; undefined for our own words. */
  identity(): Promise<string | undefined>;
  readonly context?: SessionPorts["context"];
  /** Sections that join a new system prompt: what is remembered. */
  remembered?(sessionId: string, surface: string): Promise<readonly string[]>;
  model(choice: OpenSession["model"], chosen: { readonly provider: string; readonly model: string } | undefined): Promise<ModelInUse>;
}

/** Opens a session for one run: takes its lease, reads its facts, and ties it to the tools and the model of this run. */
export async function openSession(ports: OpenerPorts, options: OpenSession): Promise<Session> {
  const { dispatchPorts, mask } = ports;
  const store = maskedStore(ports.store, mask);
  const { clock, ids, log, hooks, middlewares, config, redact } = dispatchPorts;
  const names = ports.tools.select(options.surface, options.toolsets);
  const sessionId = options.sessionId ?? newSessionId(clock.now(), chance);
  const lease = await store.lease(sessionId, `${options.surface} (process ${process.pid} on ${hostname()})`);
  if (!("fence" in lease)) throw new UserError(`Session ${sessionId} is in use by ${lease.heldBy}.`, { hint: "End it there, or branch it: hermes sessions branch " + sessionId });
  const rules = options.ignoreRules !== true;
  try {
    const facts: Recorded[] = options.sessionId === undefined ? [] : await Array.fromAsync(store.read(sessionId));
    const started = facts.find(({ fact }) => fact.type === "session.started")?.fact;
    const limit = config("context_file_max_chars");
    const maxChars = typeof limit === "number" && limit > 0 ? limit : undefined;
    const sessionPorts: SessionPorts = {
      store,
      kept: (fact) => maskFact(fact, mask),
      dispatch: ports.dispatch,
      judgeEffect: ports.judgeEffect,
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
      ...(ports.context === undefined ? {} : { context: ports.context }),
      // Asked for as a turn goes on: an edit of config.yaml counts from the next turn.
      get config() {
        return turnConfig(config, options);
      },
      whileAsking: (tools) => prepareTools(dispatchPorts, tools),
      whileAway: async (tools, session) => (tools.some((name) => dispatchPorts.tools.get(name)?.declaration.tellsAway === true) ? (await import("../engine/while-away.ts")).whileAway(dispatchPorts, tools, session) : []),
      async model({ chosen }) {
        const inUse = await ports.model(options.model, chosen);
        return { ...inUse, client: maskedClient(inUse.client, mask), fallbacks: inUse.fallbacks.map((one) => ({ ...one, client: maskedClient(one.client, mask) })) };
      },
      ...(!rules ? {} : { folderNotes: (from, paths, known) => readFolderNotes(from, paths, known, maxChars) }),
      async prefix({ surface, person }) {
        const [{ offers, hidden }, identity, remembered] = await Promise.all([definitions(dispatchPorts, { names, surface, person }), ports.identity(), rules ? (ports.remembered?.(sessionId, surface) ?? []) : []]);
        for (const { name, reason } of hidden) log.debug(`The tool "${name}" is not offered: ${reason}`);
        const extra = config("agent.system_prompt");
        const timeZone = config("timezone");
        return buildPrefix({ identity: identity === undefined ? undefined : mask(identity), offers, surface, extra: [...(typeof extra === "string" && extra !== "" ? [extra] : []), ...remembered].map((section) => mask(section)), date: new Date(clock.now()), ...(typeof timeZone === "string" ? { timeZone } : {}) });
      },
    };
    const found = rules && started === undefined ? readProjectNotes(options.cwd, maxChars) : undefined;
    const notes = found === undefined ? undefined : { ...found, text: redact(found.text) };
    const cwd = started?.type === "session.started" && options.sessionId !== undefined ? started.cwd : options.cwd;
    return createSession(sessionPorts, { sessionId, surface: options.surface, cwd, person: options.person === undefined ? undefined : maskedPerson(options.person, mask, ports.heard), yolo: options.yolo ?? false, lease, facts, ...(notes === undefined ? {} : { notes }) });
  } catch (error) {
    await lease[Symbol.asyncDispose]();
    throw error;
  }
}

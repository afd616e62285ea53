import { UserError } from "../../contract/common/failure.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Agent, AgentService, BackgroundEnd, LeftBackground } from "../../contract/services/agent-service.ts";
import type { App } from "../../contract/services/app.ts";
import type { Chance } from "../../contract/common/clock.ts";
import type { Recorded } from "../../contract/conversation/fact.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Prompter } from "../../contract/conversation/question.ts";
import type { Session } from "../../contract/conversation/session.ts";
import type { OpenSessions } from "../app/open-sessions.ts";
import { isDead, thisProcess } from "../store/facts/process-owner.ts";
import { stampOf } from "../store/facts/session-id.ts";
import { readBackground, removeBackground, writeBackground } from "./background-files.ts";

interface AgentPorts {
  readonly home: string;
  readonly log: Logger;
  readonly open: OpenSessions;
  readonly openSession: App["openSession"];
  now(): number;
  readonly chance: Chance;
  /** Facts of a stored session; none of one that is not stored. */
  facts(sessionId: string): AsyncIterable<Recorded>;
}

/** A background session of this process. */
interface Running {
  readonly left: LeftBackground;
  readonly session: Session;
  /** Questions that wait for the user. */
  readonly questions: { open: number };
}

type Request = Omit<Parameters<AgentService["start"]>[0], "prompt">;

/** @returns the service, and what ends it: sessions that still work then are left to the next process. */
export function createAgentService(ports: AgentPorts): { readonly service: AgentService; close(): void } {
  const { home, log, open } = ports;
  const running = new Map<string, Running>();
  let closed = false;

  async function begin(left: LeftBackground, request: Request): Promise<void> {
    const questions = { open: 0 };
    const prompter = request.opening.prompter;
    const session = await ports.openSession({
      ...request.opening,
      attended: false,
      sessionId: left.id,
      prompter: prompter === undefined ? undefined : named(prompter, left, questions),
    });
    writeBackground(home, { ...left, owner: JSON.stringify(thisProcess()) });
    running.set(left.id, { left, session, questions });
    void run(left, session, request)
      .catch((cause: unknown) => log.error(`The background session "${left.id}" failed.`, { cause }))
      .finally(() => running.delete(left.id));
  }

  /** The file goes after the announcement, so that a crash between them repeats it under the same key. */
  async function run(left: LeftBackground, session: Session, request: Request): Promise<void> {
    const end = await endOf(left, session, ports);
    if (closed) return;
    await request.announce({ ...end, id: left.id, prompt: left.prompt });
    removeBackground(home, left.id);
    await session.close("session_boundary");
  }

  const service: AgentService = {
    async start({ prompt, ...request }) {
      const startedAt = ports.now();
      const { scope, from, opening } = request;
      const left = { id: newId(startedAt, ports), prompt, surface: opening.surface, startedAt, scope, from };
      await begin(left, request);
      return { id: left.id };
    },
    resume: begin,
    async list() {
      const background = readBackground(home).map((left): Agent => {
        const here = running.get(left.id);
        const about = { ...aboutOf(left), kind: "background" as const, rootId: left.id, scope: left.scope };
        if (here === undefined) return { ...about, state: "in another process", tokens: 0 };
        return { ...about, ...workOf(here.session), ...(here.questions.open > 0 ? { state: WAITS } : {}) };
      });
      const subagents = open.list().flatMap((session): readonly Agent[] => {
        const child = open.childOf(session.id);
        if (child === undefined) return [];
        const rootId = rootOf(open, session.id);
        const scope = running.get(rootId)?.left.scope;
        const { goal: task, startedAt } = child;
        return [{ id: session.id, kind: "subagent", task, startedAt, rootId, scope, ...workOf(session) }];
      });
      return [...background, ...subagents].toSorted((one, other) => one.startedAt - other.startedAt);
    },
    async stop(id) {
      const session = running.get(id)?.session ?? (open.childOf(id) === undefined ? undefined : open.get(id));
      if (session === undefined) return false;
      session.withdraw();
      await session.interrupt("stopped by you");
      return true;
    },
    left: async (surface) =>
      readBackground(home).filter((left) => left.surface === surface && !running.has(left.id) && isDead(left.owner)),
    forget: async (id) => removeBackground(home, id),
    noteGoal: async (goal) =>
      writeBackground(home, { ...goal, startedAt: ports.now(), owner: JSON.stringify(thisProcess()) }, "goals"),
    goals: async (surface) => readBackground(home, "goals").filter((goal) => goal.surface === surface),
    forgetGoal: async (id) => removeBackground(home, id, "goals"),
  };
  return { service, close: () => void (closed = true) };
}

const WAITS = "waits for the user";

/** Sends the prompt, or resumes it, or finds out how it ended. */
async function endOf(
  { id, prompt }: LeftBackground,
  session: Session,
  { facts }: AgentPorts,
): Promise<Pick<BackgroundEnd, "reason" | "text" | "detail">> {
  let text = "";
  for await (const { fact } of facts(id)) {
    if (fact.type === "model.answered") text = textOf(fact.parts.filter(({ type }) => type === "text"));
    if (fact.type === "turn.ended") return { reason: fact.reason, text, detail: fact.detail };
  }
  try {
    return (await session.resume()) ?? (await session.send(prompt));
  } catch (cause) {
    return { reason: "failed", text: "", detail: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** `bg_093015_3fa9c1`, as the original's. */
function newId(now: number, { chance, home, open }: AgentPorts): string {
  for (let tries = 0; tries < 100; tries++) {
    const tail = Math.floor(chance() * 16 ** 6)
      .toString(16)
      .padStart(6, "0");
    const id = `bg_${stampOf(now).split("_")[1]}_${tail}`;
    if (!open.has(id) && !readBackground(home).some((known) => known.id === id)) return id;
  }
  throw new UserError("No free name for a background session was found.", { hint: "Try again." });
}

function rootOf(open: OpenSessions, sessionId: string): string {
  let id = sessionId;
  for (let depth = 0; depth < 32; depth++) id = open.childOf(id)?.parentId ?? id;
  return id;
}

function aboutOf({ id, prompt, startedAt }: LeftBackground) {
  return { id, task: prompt, startedAt };
}

function workOf(session: Session): Pick<Agent, "state" | "tokens" | "doing"> {
  const { usage, entries } = session.view();
  const last = entries.findLast((entry) => entry.kind === "tool");
  return { state: "working", tokens: usage.inputTokens + usage.outputTokens, doing: last?.tool };
}

/** Questions of a background session say whose they are. */
function named(prompter: Prompter, { id, prompt }: LeftBackground, questions: { open: number }): Prompter {
  const line = prompt.replaceAll(/\s+/g, " ").trim();
  const session = `${id} “${line.length <= 60 ? line : `${line.slice(0, 59)}…`.toWellFormed()}”`;
  return {
    atTerminal: prompter.atTerminal,
    async ask(question, signal) {
      questions.open++;
      try {
        return await prompter.ask(
          question.kind === "approval"
            ? { ...question, session }
            : { ...question, text: `[${session}] ${question.text}` },
          signal,
        );
      } finally {
        questions.open--;
      }
    },
  };
}

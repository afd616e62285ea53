import type { Approver } from "../contract/tools/approval.ts";
import type { Chance, Clock, Ids } from "../contract/common/clock.ts";
import type { AgentEvent, Fact, Recorded } from "../contract/conversation/fact.ts";
import type { ModelClient } from "../contract/providers/model.ts";
import type { Answer, Prompter, Question } from "../contract/conversation/question.ts";
import type { Session } from "../contract/conversation/session.ts";
import type { Slots } from "../contract/plugins/slot.ts";
import type { SlotName } from "../contract/plugins/slot-name.ts";
import type { AnyTool } from "../contract/tools/tool.ts";
import { createDispatch } from "../engine/dispatch/dispatch.ts";
import { Hooks } from "../engine/hooks/hooks.ts";
import { createJudgeEffect } from "../engine/approval/judge-effect.ts";
import { Middlewares } from "../engine/hooks/middleware.ts";
import type { DispatchPorts, ModelInUse, SessionPorts, ToolEntry, TurnConfig } from "../engine/ports.ts";
import { buildPrefix } from "../engine/transcript/prompt.ts";
import { Registry } from "../engine/tools/registry.ts";
import { createSession } from "../engine/session/session.ts";
import { entryOf } from "../engine/tools/tool-declaration.ts";
import { whileAway } from "../engine/turn/absence-notices.ts";
import { memoryStore, type MemoryStore } from "./memory-store.ts";
import { quietLog, type QuietLog } from "./quiet-log.ts";
import { realClock } from "./real-clock.ts";
import { seededChance, sequentialIds } from "./sequential-ids.ts";

export interface TestSessionOptions {
  readonly model: ModelClient;
  readonly fallbacks?: readonly ModelClient[];
  readonly tools?: readonly AnyTool[];
  readonly store?: MemoryStore;
  /** Carries this session of `store` on. Default: a new one, `session_1`. */
  readonly sessionId?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly chance?: Chance;
  readonly prompter?: Prompter;
  readonly approvers?: readonly Approver[];
  readonly yolo?: boolean;
  readonly config?: Partial<TurnConfig>;
  readonly surface?: string;
  readonly cwd?: string;
  readonly slots?: Partial<Slots>;
  /** Overrides any port of the session. */
  readonly ports?: Partial<SessionPorts>;
}

export interface TestSession extends AsyncDisposable {
  readonly session: Session;
  readonly store: MemoryStore;
  readonly hooks: Hooks;
  readonly middlewares: Middlewares;
  readonly log: QuietLog;
  readonly events: readonly AgentEvent[];
  /** As stored. */
  facts(): readonly Fact[];
  recorded(): readonly Recorded[];
}

/**
 * A real session: real turn, real dispatch, real hooks, over a memory store. Only the model and the tools are yours.
 */
export async function testSession(options: TestSessionOptions): Promise<TestSession> {
  const clock = options.clock ?? realClock();
  const log = quietLog();
  const store = options.store ?? memoryStore({ clock });
  const sessionId = options.sessionId ?? "session_1";
  const hooks = new Hooks({ log, clock });
  const middlewares = new Middlewares({ log });
  const ids = options.ids ?? sequentialIds();
  const tools = new Registry<ToolEntry>("tool", log);
  for (const tool of options.tools ?? []) tools.add(tool.name, entryOf(tool), "test");
  const dispatchPorts: DispatchPorts = {
    tools,
    hooks,
    middlewares,
    approvers: options.approvers ?? [],
    clock,
    ids,
    log,
    home: "/home/somebody",
    agentHome: "/home/somebody/.hermes",
    redact: (text) => text,
    spill: async (_, callId) => `/spilled/${callId}`,
    scratch: async () => "/scratch",
    async use<S extends SlotName>(slot: S): Promise<Slots[S]> {
      const provider = options.slots?.[slot];
      if (provider === undefined) throw new Error(`This test has no ${slot}.`);
      return provider;
    },
    env: () => undefined,
    config: () => undefined,
    fetch: () => () => Promise.reject(new Error("There is no network here.")),
    secret: () => undefined,
    probe: (_, { name, prompter }) => ({
      env: () => undefined,
      config: () => undefined,
      which: async () => undefined,
      prompter,
      surface: name,
    }),
  };
  const inUse = (client: ModelClient, name: string): Omit<ModelInUse, "fallbacks"> => ({
    client,
    provider: "scripted",
    model: name,
    contextTokens: 200_000,
  });
  const ports: SessionPorts = {
    store,
    dispatch: createDispatch(dispatchPorts),
    judgeEffect: createJudgeEffect(dispatchPorts),
    hooks,
    middlewares,
    clock,
    ids,
    chance: options.chance ?? seededChance(),
    log,
    config: { ...DEFAULTS, ...options.config },
    model: async () => ({
      ...inUse(options.model, "scripted-model"),
      fallbacks: (options.fallbacks ?? []).map((client, at) => inUse(client, `fallback-${at + 1}`)),
    }),
    prefix: async ({ surface }) =>
      buildPrefix({
        offers: tools.list().map(({ value: { declaration } }) => ({
          name: declaration.name,
          description: declaration.description,
          parameters: declaration.input,
        })),
        surface,
        date: new Date(2030, 0, 1),
      }),
    redact: (text) => text,
    whileAway: (names, opened) => whileAway(dispatchPorts, names, opened),
    ...options.ports,
  };
  const lease = await store.lease(sessionId, "test");
  if ("heldBy" in lease) throw new Error(`Session "${sessionId}" is held by ${lease.heldBy}.`);
  const session = createSession(ports, {
    sessionId,
    surface: options.surface ?? "cli",
    cwd: options.cwd ?? "/work/project",
    prompter: options.prompter,
    yolo: options.yolo ?? false,
    lease,
    facts: store.facts(sessionId),
  });
  const events: AgentEvent[] = [];
  session.subscribe((event) => void events.push(event));
  return {
    session,
    store,
    hooks,
    middlewares,
    log,
    events,
    facts: () => store.facts(sessionId).map(({ fact }) => fact),
    recorded: () => store.facts(sessionId),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** A user who answers each question with the next answer, then with nothing; records the questions. */
export function scriptedPrompter(answers: readonly Answer[]): Prompter & { readonly questions: readonly Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    async ask(question) {
      questions.push(question);
      return answers[questions.length - 1] ?? { kind: "none", reason: "nobody" };
    },
  };
}

const DEFAULTS: TurnConfig = {
  maxRequests: 90,
  maxRetries: 3,
  maxWaitMs: 20_000,
  connectMs: 30_000,
  firstEventMs: 120_000,
  betweenEventsMs: 120_000,
  totalMs: 1_800_000,
  maxStreamRetries: 2,
  loops: {
    warnAfter: { exactFailure: 2, sameToolFailure: 3, noProgress: 2 },
    refuseAfter: { exactFailure: 3, sameToolFailure: 8, noProgress: 3 },
  },
  maxCallsPerAnswer: 64,
  maxParallel: 8,
};

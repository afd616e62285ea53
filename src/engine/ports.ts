/**
 * The engine's dependencies, and the interfaces between its parts. The host implements them; tests implement their own.
 */
import type { Steps } from "../safety/secrets/spans.ts";
import type { Approver } from "../contract/tools/approval.ts";
import type { Probe } from "../contract/common/availability.ts";
import type { ChatMessage } from "../contract/conversation/chat-message.ts";
import type { Chance, Clock, Ids } from "../contract/common/clock.ts";
import type { Fact, Live, Origin, ProjectNotes, Recorded, SubagentStart } from "../contract/conversation/fact.ts";
import type { Json, JsonObject } from "../contract/common/json.ts";
import type { Logger } from "../contract/common/logger.ts";
import type { ModelClient, ModelFailure, ToolOffer, Usage } from "../contract/providers/model.ts";
import type { ToolOutcome } from "../contract/tools/outcome.ts";
import type { Part } from "../contract/conversation/part.ts";
import type { Prompter } from "../contract/conversation/question.ts";
import type { Slots } from "../contract/plugins/slot.ts";
import type { SlotName } from "../contract/plugins/slot-name.ts";
import type { Session } from "../contract/conversation/session.ts";
import type { AnswerDraft, Lease, SessionStore } from "../contract/conversation/store.ts";
import type { SubagentTask } from "../contract/conversation/subagent.ts";
import type { Egress } from "../contract/tools/assessment.ts";
import type { AnyTool, ToolContext, ToolDeclaration } from "../contract/tools/tool.ts";
import type { GuardedFetch } from "../contract/providers/web.ts";
import type { InjectionLimits } from "./transcript/injected-context.ts";
import type { LoopLimits } from "./turn/loop-detection.ts";
import type { Offered } from "./tools/offered-tools.ts";
import type { Assessed } from "./approval/assess.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { Middlewares } from "./hooks/middleware.ts";
import type { GrantedSecret } from "./approval/secret-handles.ts";
import type { Registry } from "./tools/registry.ts";

/** A tool in the registry: its data at once, its code when first needed. */
export interface ToolEntry {
  readonly declaration: ToolDeclaration;
  /**
   * Returns the same promise on every call. It rejects with a sentence that names the plugin when it cannot be loaded.
   */
  load(): Promise<AnyTool>;
}

/** The dependencies of dispatch, by responsibility. A function that needs one part takes that part. */
export interface DispatchPorts extends ProcessPorts, RegisteredParts, ApprovalChain, ToolResources, ResultStorage {}

/** The process that calls run in. */
export interface ProcessPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** The user's home directory. */
  readonly home: string;
  readonly agentHome: string;
  config(path: string): Json | undefined;
}

/** Everything that plugins registered and that takes part in a call. */
export interface RegisteredParts {
  readonly tools: Registry<ToolEntry>;
  readonly hooks: Hooks;
  readonly middlewares: Middlewares;
}

export interface ApprovalChain {
  /** Asked in order for calls that carry a risk. Dispatch asks the session's user last. */
  readonly approvers: readonly Approver[];
  /** Asked if `approvals.mode` is `smart`, after the session's grants and before the user. */
  readonly smart?: Approver;
  /** A user elsewhere who answers for sessions of this surface that have no prompter; `undefined`: there is none now. */
  readonly absent?: (surface: string) => Promise<Prompter | undefined>;
}

/** Resources of a tool, each limited to its owner's declarations. */
export interface ToolResources {
  use<S extends SlotName>(slot: S, id?: string): Promise<Slots[S]>;
  /** Whether a slot has a provider. Absent: all have. */
  filled?(slot: SlotName): boolean;
  probe(owner: string, surface: { readonly name: string; readonly prompter: boolean }): Probe;
  /** Only for variables that `owner` declared. */
  env(owner: string, name: string): string | undefined;
  /** A stored secret, for a handle that the user's settings allow. */
  secret(name: string): string | undefined;
  /** Guarded network access for `owner`; it may also send the `granted` secrets. */
  fetch(owner: string, granted?: readonly GrantedSecret[]): GuardedFetch;
  /** A tool of `owner` starts to run. Until it ends, it receives what its plugin does outside of the call's context. */
  running?(owner: string, tool: RunningTool): Disposable;
}

/** Where results go. */
export interface ResultStorage {
  /** Masks every known secret, the values of secret names and token shapes. */
  redact(text: string): string;
  /** As `redact`, but yields to the event loop in between, for long texts. Absent: use `redact`. */
  redactSteps?(text: string): Steps<string>;
  /** Saves a long result on disk and returns its absolute path. */
  spill(sessionId: string, callId: string, text: string): Promise<string>;
  /** The folder of a session's temporary files. */
  scratch(sessionId: string): Promise<string>;
}

/** A call of a tool, as what its plugin does beside the call's own context reaches it. */
export interface RunningTool {
  /** An address was asked for. */
  fetched(url: string): void;
  /**
   * Calls a tool from this call, within its timeout and depth; untrusted content in the inner result marks the outer
   * one.
   */
  readonly call: ToolContext["call"];
  /** Asks the call's user, within the time limit of the question; the call's timeout pauses meanwhile. */
  readonly ask: ToolContext["ask"];
}

/** The session a call belongs to, as dispatch sees it. */
export interface CallSession {
  readonly sessionId: string;
  readonly taskId: string;
  readonly surface: string;
  readonly cwd: string;
  /** The user whose chat it is, if not the owner. */
  readonly whose?: string;
  readonly yolo: boolean;
  readonly prompter: Prompter | undefined;
  /** The tools that the model is offered now; a model's call to anything else is `unknown_tool`. */
  readonly offered: Offered;
  /** Names of those that its requests do not carry. */
  held?(): readonly string[];
  /** Before the first turn: what it would be offered. */
  wouldOffer?(): Promise<ReadonlySet<string>>;
  /** Durable when it resolves; then shown to every surface. */
  record(facts: readonly Fact[]): Promise<void>;
  /**
   * Folded at once; durable and shown before the next recorded fact and within some milliseconds. Absent: nothing is
   * deferred.
   */
  hold?(facts: readonly Fact[]): void;
  live(live: Live): void;
  state(key: string): Json | undefined;
  /** Untrusted content in the conversation; `undefined` if there is none. */
  readonly untrusted: UntrustedState | undefined;
  /** The session is a subagent's. */
  readonly subagent?: { readonly goal: string; readonly depth: number };
  /** Opens a session for a piece of a call's work. Absent: there can be none. */
  openChild?(child: ChildRequest): Promise<Session>;
  /** For a call that runs beside others and turns out to change something: resolves when it is alone. Absent: it is. */
  alone?(): Promise<void>;
  /** Queues input for the session's next turn. */
  queue(parts: readonly Part[], origin: Origin): Promise<void>;
}

/** A session for a piece of a call's work. */
export interface ChildRequest {
  readonly callId: string;
  readonly task: SubagentTask;
  readonly depth: number;
}

/** The user's grants for the whole session, shared with all its subagents. */
export interface Grants {
  get(): Json | undefined;
  /** Durable when it resolves. */
  set(value: Json): Promise<void>;
}

/** The state that a new subagent takes over from its parent. */
export interface ParentState {
  /** The tools that the parent's model is offered; empty before its first turn. */
  readonly offered: Offered;
  readonly untrusted: UntrustedState | undefined;
  readonly grants: Grants;
  readonly chosen: { readonly provider: string; readonly model: string } | undefined;
}

/** The untrusted content of a conversation, folded from its facts. */
export interface UntrustedState {
  /** Where their words are from, oldest first. */
  readonly sources: readonly string[];
  /** Files were changed or brought in since. */
  readonly changed: boolean;
  /** Whether the user wrote this address. */
  said(url: string): boolean;
  /** Whether the user wrote this host, alone or in an address. */
  named(host: string): boolean;
  /** Those of these requests for pages that need no approval, because an earlier result listed the address. */
  listed(requests: readonly Egress[]): readonly Egress[];
}

export interface CallRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly tool: string;
  /** A model's own text, or an object from code. */
  readonly args: string | JsonObject;
  readonly by: Origin;
  readonly parentCallId?: string;
  /** Other calls of the same answer run at the same time. */
  readonly besideOthers?: boolean;
  /** Assessed just now, and nothing has run since. */
  readonly planned?: PlannedCall;
}

/**
 * An assessment from before the call was dispatched. Dispatch uses it if it still is about the same tool, arguments and
 * session.
 */
export interface PlannedCall {
  readonly tool: AnyTool;
  readonly assessment: Assessed;
  /** Whether the session held untrusted content. */
  readonly untrusted: boolean;
}

/**
 * The dispatch pipeline. Never rejects: every result is an outcome, and `tool.settled` is recorded when it resolves, or
 * queued for a call that changes nothing.
 */
export interface Dispatch {
  (request: CallRequest, session: CallSession, signal: AbortSignal): Promise<ToolOutcome>;
}

/**
 * The turn calls it before it runs calls in parallel: the effect of this very call, `execute` if unknown. Never
 * rejects.
 */
export interface JudgeEffect {
  (request: CallRequest, session: CallSession): Promise<{ readonly parallel: boolean; readonly planned?: PlannedCall }>;
}

/** A session with facts that was opened just now. */
export interface OpenedSession {
  readonly sessionId: string;
  /** Queues input of a process for its next turn. */
  queue(parts: readonly Part[]): Promise<void>;
}

/** The dependencies of a session, by responsibility. */
export interface SessionPorts extends SessionProcess, SessionHooks, SessionStorage, SessionTools, RequestSources {}

export interface SessionProcess {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly chance: Chance;
  readonly log: Logger;
  readonly config: TurnConfig;
}

export type SessionHooks = Pick<RegisteredParts, "hooks" | "middlewares">;

/** Where its facts and long texts are stored. */
export interface SessionStorage {
  readonly store: SessionStore;
  /** The fact as the store will contain it, which may be less; for facts that are folded before they are stored. */
  stored?(fact: Fact): Fact;
  redact(text: string): string;
  /** Saves a long text in a file and returns its absolute path. */
  spill?(sessionId: string, name: string, text: string): Promise<string>;
}

/** Its tool calls and subagents. */
export interface SessionTools {
  readonly dispatch: Dispatch;
  readonly judgeEffect: JudgeEffect;
  /** Names of the tools that are on for this session now, deferred ones included. Absent: those of the prefix. */
  selected?(): readonly string[];
  /** A request was sent: time to prepare calls of these tools, until the answer comes. */
  whileAsking?(tools: readonly string[]): Disposable;
  /**
   * A session with facts was opened: what its tools report of the time before. Never rejects, and takes no longer than
   * a few seconds.
   */
  whileAway?(tools: readonly string[], session: OpenedSession): Promise<readonly (readonly Part[])[]>;
  /** Absent: no subagents. */
  openChild?(child: ChildRequest, parent: ParentState): Promise<Session>;
}

/** The inputs of its model requests. */
export interface RequestSources {
  /** The model this session uses now; called once per turn. Rejects with `UserError` when none can be reached. */
  model(session: {
    readonly sessionId: string;
    readonly chosen: { readonly provider: string; readonly model: string } | undefined;
  }): Promise<ModelInUse>;
  /** System prompt and tools, read once per session and at declared points only. */
  prefix(session: {
    readonly sessionId: string;
    readonly surface: string;
    readonly prompter: boolean;
    readonly cwd: string;
    readonly model: string;
    readonly contextTokens?: number;
  }): Promise<Prefix>;
  /** Absent: no budgets. */
  readonly budgets?: Budgets;
  /** Absent: conversations are never shortened. */
  readonly context?: ContextManager;
  /** Notes of folders below `cwd` in which these paths are, except those already `known`. Never throws. */
  folderNotes?(
    cwd: string,
    paths: readonly string[],
    known: ReadonlySet<string>,
  ): readonly { readonly folder: string; readonly notes: ProjectNotes | undefined }[];
}

/** The user's budgets, as turns meet them. */
export interface Budgets {
  /** What to show of budgets that are nearly spent; each once. */
  notices(sessionId: string): readonly string[];
  /**
   * Raises the budget that stopped the session's newest request, if the user agrees.
   * @param ask Shows the question with its two choices. Resolves with whether the user chose the first.
   */
  raise(sessionId: string, ask: (text: string, agree: string, stop: string) => Promise<boolean>): Promise<boolean>;
}

/** Looks after the length of conversations: the context engine in use, as the engine asks it. */
export interface ContextManager {
  /** Whether the conversation is to be shortened before its next request. Never rejects. */
  due(state: ManagedContext): Promise<boolean>;
  /** The conversation, shorter. Rejects with a sentence when it cannot be made so; then nothing has changed. */
  compress(
    state: ManagedContext,
    wanted: { readonly focus: string | undefined; readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<Shortened>;
  /** Records what a request used. Never rejects. */
  answered(sessionId: string, model: Omit<ModelInUse, "fallbacks">, usage: Usage): Promise<void>;
}

export interface ManagedContext {
  readonly sessionId: string;
  readonly surface: string;
  readonly model: Omit<ModelInUse, "fallbacks">;
  readonly tokens: number;
  /** Of these, what no context engine can shorten: system prompt, tools, what outlives compactions. */
  readonly fixedTokens: number;
  readonly compactions: number;
  /** Stored, then made, when it is asked for: most requests are far from their limit. */
  messages(): Promise<readonly ChatMessage[]>;
}

export interface Shortened {
  readonly engine: string;
  readonly messages: readonly ChatMessage[];
  readonly usage?: Usage;
  readonly costUsd?: number;
}

export interface ModelInUse {
  readonly client: ModelClient;
  readonly provider: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  readonly maxOutputTokens?: number;
  /** Timeouts of this model, which replace those of ({@link TurnConfig}). */
  readonly limits?: Partial<Pick<TurnConfig, "firstEventMs" | "betweenEventsMs" | "totalMs">>;
  /** Fallbacks in order, for when this one fails permanently. */
  readonly fallbacks: readonly Omit<ModelInUse, "fallbacks">[];
  /** Absent: it is asked whatever happened before. */
  readonly health?: ModelHealth;
  /** Absent: nothing is measured, and `contextTokens` holds. */
  readonly window?: ModelWindow;
}

/** How the way to a model did lately, for all sessions of the process. */
export interface ModelHealth {
  /**
   * `rests`: it failed a moment ago, and is not asked while another model can answer. `probe`: the rest is over, and one
   * request decides whether it rests again.
   */
  readonly state: "well" | "rests" | "probe";
  /** Why it rests, for the user. */
  readonly reason: string;
  failed(failure: ModelFailure): void;
  answered(): void;
}

/** A request that was answered, to see whether the service read all of it. */
export interface AnsweredRequest {
  readonly sessionId: string;
  /** Tokens of the request, estimated. */
  readonly sent: number;
  readonly usage: Usage;
}

/** A model's window as its service measures it. */
export interface ModelWindow {
  readonly tokens: number;
  /** Resolves when the service was asked, or took too long to answer. Absent: there is nothing to wait for. */
  readonly asked?: Promise<void>;
  /**
   * An answer came. Resolves with a sentence for the user when the service reads less than was assumed, once;
   * `undefined` when there is nothing to find out.
   */
  answered(answer: AnsweredRequest): Promise<string | undefined> | undefined;
  /** The service refused a request and named its window. */
  refused(tokens: number): void;
}

export interface Prefix {
  readonly system: string;
  /** Sorted by name. */
  readonly tools: readonly ToolOffer[];
  readonly hash: string;
}

/** `agent.*`, `tool_loop_guardrails.*` and the stream limits, parsed. */
export interface TurnConfig {
  /** Model requests in one turn. Default 90. */
  readonly maxRequests: number;
  /** Default 3. */
  readonly maxRetries: number;
  /** Of these, how many may be for an answer that broke off after it had begun. Default 2. */
  readonly maxStreamRetries: number;
  /** How long a service may ask to wait while a fallback could answer. Default 20 000. */
  readonly maxWaitMs: number;
  /** Defaults: connect 30 000, first event 120 000, between events 120 000, total 1 800 000. */
  readonly connectMs: number;
  readonly firstEventMs: number;
  readonly betweenEventsMs: number;
  readonly totalMs: number;
  /** How often a turn may repeat itself before the model gets a warning, and before a call is refused. */
  readonly loops: LoopLimits;
  /** Calls of one answer that are run; the rest get error results. Default 64. */
  readonly maxCallsPerAnswer: number;
  /** Side by side at most. Default 8. */
  readonly maxParallel: number;
  /** Limits of the text that hooks add to a request. Default: {@link GUEST_LIMITS}. */
  readonly injected?: InjectionLimits;
}

export interface SessionOptions {
  readonly sessionId: string;
  readonly surface: string;
  readonly cwd: string;
  /** Whose chat it is, where that is not the owner's; kept in a new session's first fact. */
  readonly whose?: string;
  readonly prompter: Prompter | undefined;
  readonly yolo: boolean;
  readonly lease: Lease;
  /** Of a new subagent's session. */
  readonly subagent?: { readonly parentId: string; readonly start: SubagentStart; readonly grants: Grants };
  /** Notes of the project in `cwd`; stored in a new session's first fact. */
  readonly notes?: ProjectNotes;
  /** Facts read from the store; empty for a new session. */
  /** The beginning of the answer that an earlier process was receiving. */
  readonly draft?: AnswerDraft;
  readonly facts: readonly Recorded[];
}

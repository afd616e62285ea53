import type { Assessment, Egress } from "./assessment.ts";
import type { Availability, EnvNeed, Probe } from "../common/availability.ts";
import type { Risk } from "./approval.ts";
import type { Origin } from "../conversation/fact.ts";
import type { ChainHook, HookPayload } from "../plugins/hook.ts";
import type { DeferredTool } from "./deferred-tool.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { Logger } from "../common/logger.ts";
import type { ToolOutcome } from "./outcome.ts";
import type { UntrustedSource, Part } from "../conversation/part.ts";
import type { Answer, Question } from "../conversation/question.ts";
import type { FromSchema, JsonSchema, Schema, StandardSchema } from "../common/schema.ts";
import type { Slots } from "../plugins/slot.ts";
import type { SlotName } from "../plugins/slot-name.ts";
import type { SubagentResult, SubagentTask } from "../conversation/subagent.ts";
import type { GuardedFetch } from "../providers/web.ts";
import type { Effect } from "./effect.ts";

/**
 * An argument in which a model may write `secret://NAME` for a stored secret it never sees. Dispatch inserts the value
 * when the tool runs, if the user's `security.secret_handles` allows it for this tool and for the host of the URL in
 * the argument `host`. A tool that names no `host` is itself the destination: a program's environment.
 */
export interface SecretArgument {
  readonly argument: string;
  readonly host?: string;
}

/**
 * The use that the agent itself has for a tool, so that no code has to know its name. `shell`: runs its argument
 * `command` in a shell, and assesses it for `hermes approvals explain`. `skill`: returns the text of the skill in its
 * argument `name`. `notes`: writes the agent's own notes; a memory provider's tools are offered beside it. Only tools
 * in the agent's process have a role.
 */
export type ToolRole = "shell" | "skill" | "notes";

/**
 * A tool's definition. `Input` matches `input`; `Output` is shown to the model, as JSON unless `toModel` converts it.
 */
export interface ToolDefinition<Input = never, Output = unknown> {
  /** Unique; the function name the model calls: `[a-zA-Z0-9_-]{1,64}`. */
  readonly name: string;
  /** The one toolset that owns it. */
  readonly toolset: string;
  /**
   * The description that the model reads. A function may depend on which other tools are offered; it is called once per
   * session.
   */
  readonly description: string | ((offered: ReadonlySet<string>) => string);
  /**
   * Tools that a description which is a text tells of: `%tools%` in it becomes those of them that are offered, or
   * `none`.
   */
  readonly mentions?: readonly string[];
  /** The description in listings. Default: the first sentence of `description`. */
  readonly summary?: string;
  readonly input: Schema<Input>;
  /**
   * The effect of every call. Leave it out if that depends on the call: `assess` then reports it. Until then such a
   * tool counts as `execute`. The function form is deprecated: return `effect` from `assess`.
   */
  readonly effect?: Effect | ((input: Input, call: RiskContext) => Effect | Promise<Effect>);
  /** It may run again after an interrupted call. Default: true for `none` and `read`, else false. */
  readonly idempotent?: boolean;
  /**
   * Wall time without the user's thinking time. Default 300 000. A function is called for each call; listings show the
   * default.
   */
  readonly timeoutMs?: number | ((call: RiskContext) => number);
  readonly env?: readonly EnvNeed[];
  readonly emoji?: string;
  /**
   * How surfaces name a call, such as `Read {path}[ from line {offset}]`: `{name}` is the argument of that name, and a
   * part in square brackets is left out if an argument in it is missing. Default, and if another argument is missing:
   * the tool's name and the argument that identifies the call.
   */
  readonly title?: string;
  /** Longer results are spilled to a file that `read_file` can page. Default 100 000. */
  readonly maxResultChars?: number | "unlimited";
  /** Needs the user: not offered where no user is connected, never run beside another call. */
  readonly interactive?: boolean;
  /** Sinks for `secret://NAME`. Anywhere else it is text. */
  readonly secrets?: readonly SecretArgument[];
  /**
   * Calls of this tool run in parallel with others, whatever their effect: each action inside passes the dispatch
   * pipeline separately.
   */
  readonly parallel?: boolean;
  readonly role?: ToolRole;
  /** Former names that still reach this tool. Not offered to the model. */
  readonly aliases?: readonly string[];
  /** Keys that a refused call's error object carries besides `error`, where the result's shape is fixed. */
  readonly refusal?: JsonObject;
  /** Slots it works through: where one has no provider the tool is not offered. */
  readonly slots?: readonly SlotName[];
  /**
   * Programs it starts through the terminal: where that is this machine and one is not on PATH the tool is not offered.
   */
  readonly programs?: readonly string[];
  /**
   * Of these this machine must have one, whatever place commands run in: a program by its name on PATH or by its
   * absolute path, a setting that says something (`setting:browser.cdp_url`), a declared variable (`env:HASS_TOKEN`),
   * or a slot with a provider (`slot:browser`). Else the tool is not offered, and none of its code is loaded to find
   * out.
   */
  readonly needsOneOf?: readonly string[];
  /** Shown if none of `needsOneOf` is there: what is missing and how to get it. Default: made of their names. */
  readonly needsHint?: string;
  /** A check that says no, or throws, leaves the tool out of the model's list and shows the reason to people. */
  available?(probe: Probe): Availability | Promise<Availability>;
  /**
   * Loads what a first call would wait for. Called at most once, in the background, while a model takes its time to
   * answer; must not be needed by `execute`.
   */
  prepare?(): Promise<void>;
  /**
   * Asked before the first turn of a session that was opened again: what became meanwhile of what the tool had started
   * for it, to be read with that turn. Asked again when the session is opened the next time; quick where there is
   * nothing.
   */
  whileAway?(call: AwayContext): readonly Notice[] | Promise<readonly Notice[]>;
  /** Text for the system prompt of a session that is offered the tool. */
  readonly prompt?: PromptSection;
  /**
   * Reports what this call would do: its effect, its risk, where it sends data, whose content it returns, which paths
   * it changes. Dispatch calls it once before the call runs, and once more after a user approved the call, because the
   * world may have changed meanwhile. It must not change anything. If it throws, answers with something else, or takes
   * longer than 30 s, the call is denied; a `ToolFailure` with the code `bad_arguments` is the call's result unchanged.
   * A tool with `assess` has none of the deprecated members below. A tool whose calls all do the same needs no
   * `assess`, only `effect`.
   */
  assess?(input: Input, call: RiskContext): Assessment | Promise<Assessment>;
  /** @deprecated Return `risk` from `assess`. One that throws denies the call. */
  risk?(input: Input, call: RiskContext): Risk | undefined | Promise<Risk | undefined>;
  /**
   * @deprecated Return `untrusted` from `assess`. `undefined` is `false` there. If it throws, the result counts as
   * untrusted.
   */
  provenance?(input: Input, call: RiskContext): UntrustedSource | undefined | Promise<UntrustedSource | undefined>;
  /**
   * @deprecated Return `egress` from `assess`. Called only if the session holds untrusted content; one that throws
   * denies the call.
   */
  reach?(input: Input, call: RiskContext): readonly Egress[] | Promise<readonly Egress[]>;
  /** @deprecated Return `survey` from `assess`. */
  survey?(input: Input, call: RiskContext, signal: AbortSignal): Promise<readonly string[]>;
  /** @deprecated Return `touches` from `assess`. If it throws, the call may change the session's directory. */
  touches?(input: Input, call: RiskContext): readonly string[] | Promise<readonly string[]>;
  /**
   * @throws {ToolFailure} for expected failures; anything else is a crash, logged with its stack and reported to the
   * model as an error.
   */
  execute(input: Input, call: ToolContext): Promise<Output>;
  /** A part with `from` holds untrusted content that `assess` could not know of. */
  toModel?(output: Output): string | readonly Part[];
}

/**
 * A section of a system prompt. It is the same for the life of the session; what changes meanwhile is for the next one.
 */
export interface PromptSection {
  /**
   * Files or folders of the agent's home. While none of them exists, Hermes does not ask, and the tool's code stays
   * unloaded.
   */
  readonly files: readonly string[];
  /** "" for nothing. One that throws or takes longer than 5 s says nothing. */
  text(about: Pick<RiskContext, "agentHome" | "config">): Promise<string>;
}

/** A message for the model that the user did not write, and its source if it contains untrusted content. */
export interface Notice {
  readonly text: string;
  readonly foreign?: UntrustedSource;
}

/** A session that is open again. */
export interface AwayContext extends Pick<RiskContext, "sessionId" | "taskId">, Pick<ToolContext, "notify"> {}

/** The context of a call before it runs. */
export interface RiskContext {
  readonly cwd: string;
  /** The user's home directory, for `~` and "a whole home". */
  readonly home: string;
  readonly sessionId: string;
  readonly taskId: string;
  /** The agent's own home, which its tools must not change behind its back. */
  readonly agentHome: string;
  /** Whether a user can answer questions. Absent in a plugin's own process. */
  readonly interactive?: boolean;
  /** A configuration value by dotted path. */
  config(path: string): Json | undefined;
}

/** The context of a running tool. */
export interface ToolContext extends RiskContext {
  readonly callId: string;
  /** The turn that the call belongs to; "" for one that the user made by hand. Absent in a plugin's own process. */
  readonly turnId?: string;
  /**
   * Author of the call, which receives its result. The result of a `plugin` call goes to code: the model may never see
   * it.
   */
  readonly by: Origin;
  /** Other calls of the same answer run at the same time. Default false. */
  readonly besideOthers?: boolean;
  /**
   * What `assess` last reported about this call, as the same object. Absent for a tool without `assess` and in a
   * plugin's own process.
   */
  readonly assessment?: Assessment;
  /** Aborted on interrupt, time-out and unload. Whatever the tool waits for takes it. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Directory of the session's spilled results and other disposable files; made when first asked for. */
  scratch(): Promise<string>;
  /** A variable the tool or its plugin declared, from `.env` or the process. */
  env(name: string): string | undefined;
  /** Replaces the progress line of this call on every attached surface. Shown, not stored. */
  progress(text: string): void;
  /**
   * Asks the user; their thinking time is not charged to the tool.
   * @throws {ToolFailure} `nobody` if no user is connected.
   */
  ask(
    question: Question,
    options?: {
      /** Shorter than the user's `agent.clarify_timeout`; afterwards the question is withdrawn. */ readonly timeoutMs?: number;
    },
  ): Promise<Answer>;
  /** State that lives in the session's facts: survives restarts, compaction and resume. */
  state<T extends Json>(key: StateKey<T>): StateCell<T>;
  use<S extends SlotName>(slot: S, id?: string): Promise<Slots[S]>;
  /** The one way to the network for what a model, a page or a message names. */
  readonly fetch: GuardedFetch;
  /**
   * Reports addresses that a search service returned, or that a page lists: each can be read without a question in this
   * session, within limits. With `page`, only addresses of that page's host count. Private addresses and those that
   * hold a user name or something like a key do not. Absent in a plugin's own process.
   */
  found?(addresses: readonly string[], page?: string): void;
  /** Calls another tool by the same road: hooks, approval, limits, facts. */
  call(tool: string, args: JsonObject): Promise<ToolOutcome>;
  /** Names of the tools that the session's model is offered; before its first turn, those that it would be. */
  offered(): Promise<ReadonlySet<string>>;
  /** Tools that the session's model may call and that its requests do not carry, whole; none where all are carried. */
  held(): Promise<readonly DeferredTool[]>;
  /** How many subagents stand between this session and one that a surface opened: 0 in that one. */
  readonly depth: number;
  /**
   * Runs a task in a subagent's session below this one: its own facts, tools, shell and requests; this session's user
   * and policy. Ends with the call.
   * @throws {ToolFailure} if it cannot be opened; the result says how its turn ended.
   */
  spawn(task: SubagentTask): Promise<SubagentResult>;
  /** Runs the handlers of a chain hook over `payload.value` and returns what they leave. Never rejects. */
  transform<K extends ChainHook>(hook: K, payload: HookPayload<K>): Promise<string>;
  /**
   * Queues a message for this session's next turn (a finished background process). Durable; marked as data, not as the
   * user's words.
   */
  notify(text: string, untrusted?: UntrustedSource): Promise<void>;
}

export interface StateKey<T extends Json> {
  readonly key: string;
  readonly initial: T;
}

export interface StateCell<T extends Json> {
  get(): T;
  set(next: T): Promise<void>;
}

/**
 * Everything about a tool that is data: what a snapshot keeps, what listings show, what a model is offered, without
 * loading its code.
 */
export interface ToolDeclaration {
  readonly name: string;
  readonly toolset: string;
  /** "" when `dynamicDescription`. */
  readonly description: string;
  readonly summary: string;
  readonly input: JsonSchema;
  /** If `effectByCall`: the strongest that it may be. */
  readonly effect: Effect;
  readonly effectByCall: boolean;
  readonly dynamicDescription: boolean;
  readonly conditional: boolean;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  readonly env: readonly EnvNeed[];
  readonly emoji: string;
  readonly title?: string;
  readonly maxResultChars: number | "unlimited";
  readonly interactive: boolean;
  readonly parallel?: true;
  readonly role?: ToolRole;
  readonly aliases: readonly string[];
  readonly refusal?: JsonObject;
  /** It has something to `prepare`. */
  readonly prepares?: true;
  /** It may have something to tell of the time that a session was closed. */
  readonly reportsAway?: true;
  /** The files on which its section of the system prompt depends. */
  readonly promptFiles?: readonly string[];
  readonly slots?: readonly SlotName[];
  readonly mentions?: readonly string[];
  readonly programs?: readonly string[];
  readonly needsOneOf?: readonly string[];
  readonly needsHint?: string;
}

/**
 * Keeps the inferred input type of a JSON Schema literal: `defineTool({ input: { type: "object", … }, execute({ path })
 * { … } })`.
 */
export function defineTool<const S extends JsonSchema | StandardSchema<unknown>, Output>(
  tool: Omit<ToolDefinition<FromSchema<S>, Output>, "input"> & { readonly input: S },
): ToolDefinition<FromSchema<S>, Output> {
  return tool as unknown as ToolDefinition<FromSchema<S>, Output>;
}

/**
 * A tool of any input and output, as collections hold it: the one place where types are forgotten; dispatch validates
 * before it calls.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool = ToolDefinition<any, any>;

import type { Decision, Risk, Scope } from "../tools/approval.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { Message, ModelFailure, ToolOffer, Usage } from "../providers/model.ts";
import type { SettledOutcome } from "../tools/outcome.ts";
import type { AnswerPart, Part } from "./part.ts";
import type { Effect } from "../tools/effect.ts";

/** Author of a call or a message. Anything but `person` is data, never an instruction. */
export type Origin = "person" | "model" | "plugin" | "process" | "code" | "system";

/** `AGENTS.md` and its kin, cut to size. */
export interface ProjectNotes {
  /** Path of the notes file, relative to the session's working directory. */
  readonly file: string;
  readonly text: string;
}

/** The state that a subagent's session starts with. */
export interface SubagentStart {
  /** The call of its parent that it works for. */
  readonly callId: string;
  readonly goal: string;
  /** 1 for a subagent of a session that a surface opened. */
  readonly depth: number;
  /** Sources of untrusted content in its parent: the author of its task had read them. */
  readonly foreign?: { readonly sources: readonly string[]; readonly changed: boolean };
}

/** Addresses that a call's result listed, and those that it requested because an earlier result had listed them. */
export interface WebUse {
  /** As `URL` spells them, with a fragment only if the result had it. */
  readonly found?: readonly string[];
  /** Pages requested without a question, by host. */
  readonly requested?: { readonly [host: string]: number };
}

/** An event of a session: appended, never changed. The session is the fold of its facts. */
export type Fact =
  | {
      readonly type: "session.started";
      readonly surface: string;
      readonly cwd: string;
      /**
       * Whose chat it is, where that is not the owner's: `telegram:7`. Its agent sees earlier conversations of the same
       * only.
       */
      readonly whose?: string;
      /** Instructions of the project in `cwd` (such as AGENTS.md). They are data, no matter who wrote them. */
      readonly notes?: ProjectNotes;
      /** The session this one was branched from or split off, and the last of its facts that belongs here. */
      readonly parent?: { readonly sessionId: string; readonly seq: number };
      /** It works for a call of its parent. */
      readonly subagent?: SubagentStart;
    }
  | { readonly type: "session.titled"; readonly title: string }
  /** System prompt and tools, fixed until the next such fact (first turn, compaction, the user's choice). */
  | {
      readonly type: "prefix.fixed";
      readonly hash: string;
      readonly system: string;
      readonly tools: readonly ToolOffer[];
      readonly reason: string;
    }
  | {
      readonly type: "model.chosen";
      readonly provider: string;
      readonly model: string;
      readonly baseUrl?: string;
      readonly by: Origin;
    }
  /** Input that waits for its turn; `message.added` with the same id takes it in. */
  | {
      readonly type: "input.queued";
      readonly inputId: string;
      readonly mode: "queue" | "steer";
      readonly origin: Origin;
      readonly parts: readonly Part[];
    }
  /** The user took back input that waited. */
  | { readonly type: "input.withdrawn"; readonly inputId: string }
  | { readonly type: "turn.started"; readonly turnId: string }
  | {
      readonly type: "message.added";
      readonly turnId: string;
      readonly origin: Origin;
      readonly parts: readonly Part[];
      readonly inputId?: string;
    }
  | {
      readonly type: "model.asked";
      readonly turnId: string;
      readonly requestId: string;
      readonly model: string;
      readonly prefixHash: string;
      readonly attempt: number;
    }
  | {
      readonly type: "model.answered";
      readonly turnId: string;
      readonly requestId: string;
      readonly parts: readonly AnswerPart[];
      readonly finish: "stop" | "tool-calls" | "length" | "filter";
      readonly usage: Usage;
      readonly costUsd?: number;
      /** What `usage` and `costUsd` count. Absent: this request. An imported session has only the sum of all. */
      readonly counts?: "session";
    }
  | {
      readonly type: "model.failed";
      readonly turnId: string;
      readonly requestId: string;
      readonly failure: ModelFailure;
      /** The part of the answer that was shown before the user stopped it. */
      readonly text?: string;
    }
  | {
      readonly type: "tool.called";
      readonly turnId: string;
      readonly callId: string;
      readonly tool: string;
      /** The decoded arguments; absent if they could not be decoded. */
      readonly args?: JsonObject;
      readonly by: Origin;
      readonly effect: Effect;
      /** May run again after an interruption. */
      readonly repeatable: boolean;
      /** The call whose tool made this one. */
      readonly parentCallId?: string;
    }
  | { readonly type: "tool.started"; readonly callId: string }
  | {
      readonly type: "tool.settled";
      readonly callId: string;
      readonly outcome: SettledOutcome;
      readonly durationMs: number;
      /** Paths that it may have changed, as its tool reported them; absent for a call that changes none. */
      readonly touched?: readonly string[];
      readonly web?: WebUse;
    }
  | {
      readonly type: "approval.asked";
      readonly callId: string;
      readonly risk: Risk;
      readonly digest: string;
      /** The answers the user may give besides a denial, and the time limit. */
      readonly scopes?: readonly Scope[];
      readonly timeoutMs?: number;
      readonly decoded?: readonly string[];
      readonly counts?: readonly string[];
    }
  | { readonly type: "approval.given"; readonly callId: string; readonly decision: Decision }
  /** A call started a subagent's session for part of its work. */
  | {
      readonly type: "subagent.started";
      readonly callId: string;
      readonly sessionId: string;
      readonly goal: string;
      readonly role: string;
    }
  /** `usage` and `costUsd` include those of its subagents. */
  | {
      readonly type: "subagent.ended";
      readonly callId: string;
      readonly sessionId: string;
      readonly reason: TurnEndReason | "timeout";
      readonly usage: Usage;
      readonly costUsd?: number;
      readonly durationMs: number;
    }
  | { readonly type: "state.set"; readonly key: string; readonly value: Json }
  | {
      readonly type: "context.compacted";
      /** Summary of the compacted messages; user interfaces show it as the compaction's name. */
      readonly summary: string;
      /** The first fact whose message stays word for word. */
      readonly keepFrom: number;
      /** Replaces everything before it; absent: the summary does. */
      readonly messages?: readonly Message[];
      /** What outlives every compaction word for word, as the model reads it; stands before `messages`. */
      readonly carried?: string;
      readonly engine?: string;
      readonly focus?: string;
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
      /** Tokens of the requests that made the summary. */
      readonly usage?: Usage;
      readonly costUsd?: number;
    }
  /**
   * The user took back the newest turns: facts from `from` up to this one are no longer part of the conversation. What
   * their calls did is not undone.
   */
  | { readonly type: "turns.undone"; readonly from: number; readonly turns: number }
  | { readonly type: "turn.ended"; readonly turnId: string; readonly reason: TurnEndReason; readonly detail?: string };

export type TurnEndReason = "done" | "cancelled" | "failed" | "limit" | "budget";

/** A stored fact. `seq` counts from 1 without gaps in a session; `at` is epoch ms; `v` is the fact format. */
export interface Recorded {
  readonly seq: number;
  readonly at: number;
  readonly v: 1;
  readonly fact: Fact;
}

/** Shown while it happens and forgotten. */
export type Live =
  | { readonly type: "text.delta"; readonly text: string }
  | { readonly type: "thinking.delta"; readonly text: string }
  | { readonly type: "call.delta"; readonly tool: string }
  | { readonly type: "tool.progress"; readonly callId: string; readonly text: string }
  /** A subagent's current work, in a few words. */
  | {
      readonly type: "subagent.progress";
      readonly callId: string;
      readonly sessionId: string;
      /** "" when only its state is new. */
      readonly text: string;
      /** For a subagent of a subagent: which one it works for, and its goal and end when they are new. */
      readonly nested?: {
        readonly parentId: string;
        readonly goal?: string;
        readonly ended?: Pick<Extract<Fact, { type: "subagent.ended" }>, "reason" | "durationMs">;
      };
    }
  | { readonly type: "model.waiting"; readonly text: string; readonly untilAt: number };

/** The events that every attached surface receives, in order. A fact is durable before it is sent. */
export type AgentEvent =
  | { readonly kind: "fact"; readonly sessionId: string; readonly recorded: Recorded }
  | { readonly kind: "live"; readonly sessionId: string; readonly live: Live };

import type { OpenSession } from "../../../contract/services/open-session.ts";
import type { ApprovalShown } from "../approval-shown.ts";
import type { ItemOf } from "../trace/trace-item.ts";

/** An existing session, or a new one. `cwd`: the folder of a new one, by default that of the process. */
export type ChatTarget = Pick<OpenSession, "sessionId" | "model"> & { readonly cwd?: string };

/** The state of a chat besides its facts. It is lost with the process; the facts are not. */
export interface ChatState {
  readonly sessionId: string;
  readonly busy: boolean;
  readonly cwd: string;
  /** `provider:model`. */
  readonly model: string;
  /** Approvals are switched off in this chat. */
  readonly yolo: boolean;
  readonly busyMode: "queue" | "steer";
  /** The interrupted turn of an earlier process, as lines; empty: there is none. */
  readonly interrupted: readonly string[];
  readonly questions: readonly ShownQuestion[];
  readonly notes: readonly ChatNote[];
}

/** Output of a slash command, or a notice. It is not part of the conversation. */
export interface ChatNote {
  readonly id: number;
  readonly at: number;
  /** It comes after this fact. */
  readonly seq: number;
  readonly text: string;
  /** The command's line. */
  readonly command?: string;
  readonly failed?: true;
}

/** The part of an answer that no fact has yet. */
export interface PartialAnswer {
  /** Grows with each answer. */
  readonly number: number;
  readonly text: string;
  readonly thinking: string;
  /** The tool whose call the model is writing. */
  readonly tool?: string;
  /** Why the turn pauses, and until when in epoch ms. */
  readonly waiting?: { readonly text: string; readonly untilAt: number };
  /** The newest output of running calls. */
  readonly progress: { readonly [callId: string]: string };
}

/** A live event. `offset`: how much of the text came before it; `number`: the answer that it belongs to. */
export type Delta = { readonly number: number } & (
  | { readonly kind: "text" | "thinking"; readonly offset: number; readonly text: string }
  | { readonly kind: "tool"; readonly tool: string }
  | { readonly kind: "waiting"; readonly text: string; readonly untilAt: number }
  | { readonly kind: "progress"; readonly callId: string; readonly text: string }
);

/** A question as the page shows it. `leftMs`: the time to answer it, where that is limited. */
export type ShownQuestion = { readonly id: string } & (
  | ({ readonly kind: "approval"; readonly callId: string; readonly leftMs: number } & ApprovalShown)
  | { readonly kind: "choice"; readonly text: string; readonly choices: readonly string[]; readonly other: boolean }
  | { readonly kind: "text"; readonly text: string; readonly secret: boolean }
);

/** A row of a chat. */
export type ChatItem = ItemOf<"message" | "answer" | "call" | "note" | "compaction">;

/** Changes of a chat's rows. Items with a known id replace it; the order is that of `at`, then of arrival. */
export interface ItemsChange {
  readonly items: readonly ChatItem[];
  readonly removed: readonly string[];
}

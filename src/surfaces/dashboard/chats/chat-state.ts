import type { OpenSession } from "../../../contract/services/open-session.ts";
import type { BusyMode } from "../../shared/commands/slash-host.ts";
import type { ShownQuestion } from "./page-prompter.ts";

/** An existing session, or a new one. */
export type ChatTarget = Pick<OpenSession, "sessionId" | "model">;

/** What the page shows of a chat besides its facts. It is lost with the process; the facts are not. */
export interface ChatState {
  readonly sessionId: string;
  readonly busy: boolean;
  readonly cwd: string;
  /** `provider:model`. */
  readonly model: string;
  /** Approvals are switched off in this chat. */
  readonly yolo: boolean;
  readonly busyMode: BusyMode;
  /** What a turn of an earlier process would resume; empty: nothing was interrupted. */
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
  readonly text: string;
  readonly thinking: string;
  /** The tool whose call the model is writing. */
  readonly tool?: string;
  /** Why the turn pauses, and until when in epoch ms. */
  readonly waiting?: { readonly text: string; readonly untilAt: number };
  /** The newest output of running calls. */
  readonly progress: { readonly [callId: string]: string };
}

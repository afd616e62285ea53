import type { AnswerDraft } from "../conversation/store.ts";
import type { Recorded } from "../conversation/fact.ts";

/** What happens in the sessions of this home, in any of its processes. */
export interface ActivityService {
  /**
   * Yields after each change of the store, within some 20 ms, until `signal` aborts. The first value reports the
   * present position at once. A value without facts means that something else changed: a draft, a lease, a job, the
   * settings.
   * @param options.after Position of an earlier value: the facts after it come first.
   */
  watch(options: { readonly signal: AbortSignal; readonly after?: number }): AsyncIterable<StoreChange>;
  /** Sessions whose last turn started and did not end. */
  openTurns(): Promise<readonly OpenTurn[]>;
  /** The text of the answer that a model is writing; of a session that answers nothing, the last one saved. */
  draft(sessionId: string): Promise<AnswerDraft | undefined>;
}

export interface StoreChange {
  /** Position of the last stored fact among the facts of all sessions. */
  readonly position: number;
  /** New facts in the order they were stored, secrets masked. */
  readonly facts: readonly { readonly sessionId: string; readonly recorded: Recorded }[];
  /** Sessions were removed. */
  readonly removed: boolean;
  /** Too many facts came since the last position, so `facts` is empty: read what you show again. */
  readonly skipped: boolean;
}

export interface OpenTurn {
  readonly sessionId: string;
  /** A process works on it. Otherwise the turn was interrupted. */
  readonly live: boolean;
  /** Its calls that have not ended, oldest first. */
  readonly calls: readonly OpenCall[];
}

export interface OpenCall {
  readonly callId: string;
  readonly tool: string;
  /** An approval was requested and no decision is stored. */
  readonly approval: boolean;
}

import type { Fact, Recorded } from "./fact.ts";

/** Where facts live. One per process; several processes may share what is behind it. */
export interface SessionStore extends AsyncDisposable {
  /**
   * Appends all facts or none; they are durable when it resolves. Creates the session if it has no facts yet.
   * @param options.expect Refuses with `StoreConflict` if the session's last seq differs (0: no facts yet). With a
   * valid `fence`, titles that the user set meanwhile do not count.
   * @param options.fence Number of the lease under which the caller writes; refuses with `StoreConflict` if a later
   * holder took over.
   */
  append(
    sessionId: string,
    facts: readonly Fact[],
    options?: { readonly expect?: number; readonly fence?: number },
  ): Promise<readonly Recorded[]>;
  /** In order of seq, those after `after` (default 0). Ends at once for an unknown session. */
  read(sessionId: string, after?: number): AsyncIterable<Recorded>;
  /** 0 when there are none. */
  lastSeq(sessionId: string): Promise<number>;
  /** Takes the session's lease for one turn, across processes. Renews it until disposed. */
  lease(sessionId: string, holder: string): Promise<Lease | { readonly heldBy: string; readonly untilAt: number }>;
  /**
   * Saves the text that an answer has so far, in place of the one before; not synced to the disk. Absent: the store
   * saves none.
   */
  saveDraft?(sessionId: string, draft: AnswerDraft): Promise<void>;
  /** The last one saved. It counts only while its request has no answer. */
  draft?(sessionId: string): Promise<AnswerDraft | undefined>;
  /** Sessions whose last turn started and did not end, and whose lease is free. */
  interrupted(): Promise<readonly string[]>;
}

/** The beginning of an answer that a model is writing. It is never part of a conversation. */
export interface AnswerDraft {
  readonly requestId: string;
  readonly text: string;
}

export interface Lease extends AsyncDisposable {
  /** Grows with every holder of the session. */
  readonly fence: number;
  /** Aborted when the lease was lost; the turn must stop writing. */
  readonly lost: AbortSignal;
}

/** Another process wrote to the session, or holds its lease. */
export class StoreConflict extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StoreConflict";
  }
}

import type { Fact, Recorded } from "./fact.ts";

/** Where facts live. One per process; several processes may share what is behind it. */
export interface SessionStore extends AsyncDisposable {
  /**
   * All or none, durable when it resolves. Makes the session when it has no facts yet.
   * @param options.expect Refuses with `StoreConflict` when the session's last seq is another (0: no facts yet). With a
   * valid `fence`, titles that a person gave meanwhile do not count.
   * @param options.fence Number of the lease under which the caller writes; refuses with `StoreConflict` when a later holder took over.
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
  /** Takes the session for one turn at a time across processes. Renewed by itself until disposed. */
  lease(sessionId: string, holder: string): Promise<Lease | { readonly heldBy: string; readonly untilAt: number }>;
  /** Sessions whose last turn started and did not end and which nobody holds. */
  interrupted(): Promise<readonly string[]>;
}

export interface Lease extends AsyncDisposable {
  /** Grows with every holder of the session. */
  readonly fence: number;
  /** Aborted when the lease was lost; the turn must stop writing. */
  readonly lost: AbortSignal;
}

/** Somebody else wrote to the session, or holds it now. */
export class StoreConflict extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StoreConflict";
  }
}

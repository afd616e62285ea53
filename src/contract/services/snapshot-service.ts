/**
 * Copies of a home, stored in its folder `state-snapshots`. Each is a complete home, so `HERMES_HOME` can point to one
 * to inspect it.
 */
export interface SnapshotService {
  /** Newest first. */
  list(): Promise<readonly Snapshot[]>;
  /** Keeps the newest twenty. */
  create(label?: string): Promise<Snapshot>;
  /**
   * Puts its settings, keys and consents into force, after a snapshot of those of now. Conversations stay as they are.
   * @param which An id, or 1 for the newest.
   * @throws {UserError} when there is none.
   */
  restore(
    which: string,
  ): Promise<{ readonly restored: Snapshot; readonly files: readonly string[]; readonly before: Snapshot }>;
  /** Returns how many are gone. */
  prune(keep: number): Promise<number>;
}

export interface Snapshot {
  readonly id: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
}

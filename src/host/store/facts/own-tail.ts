import { insertFact, lastSeqOf, noteStand, type FactRow } from "./state-schema.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { Fact } from "../../../contract/conversation/fact.ts";

interface OwnWrite {
  readonly sessionId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
}

/** Far more than SQLite leaves in a WAL before it moves it to the main file (4 MB). */
const RETAINED_BYTES = 32 * 1024 * 1024;

/**
 * Remembers where this process wrote last, so that rows in a WAL that was removed under it can be taken along to the
 * new one.
 */
export class OwnTail {
  readonly #writes: OwnWrite[] = [];
  #bytes = 0;
  #saved: FactRow[] = [];

  get waiting(): boolean {
    return this.#saved.length > 0;
  }

  note(write: OwnWrite): void {
    this.#writes.push(write);
    this.#bytes += write.bytes;
    while (this.#bytes > RETAINED_BYTES && this.#writes.length > 1) this.#bytes -= this.#writes.shift()?.bytes ?? 0;
  }

  forget(sessionIds: ReadonlySet<string>): void {
    for (let index = this.#writes.length - 1; index >= 0; index--) {
      const write = this.#writes[index];
      if (write === undefined || !sessionIds.has(write.sessionId)) continue;
      this.#writes.splice(index, 1);
      this.#bytes -= write.bytes;
    }
  }

  /** Reads our rows through the old connection, which still holds the removed WAL. */
  save(old: DatabaseFile): void {
    for (const write of this.#writes) {
      try {
        const rows = old
          .statement("SELECT * FROM facts WHERE session_id = ? AND seq BETWEEN ? AND ?")
          .all(write.sessionId, write.firstSeq, write.lastSeq);
        this.#saved.push(...(rows as unknown as FactRow[]));
      } catch {
        // What the old connection can no longer read is in the main file or lost.
      }
    }
  }

  /** Writes what the new file lacks. Returns the rows that no longer fit; others continued the session without them. */
  restore(file: DatabaseFile): readonly FactRow[] {
    const misfits: FactRow[] = [];
    for (const row of this.#saved) {
      const last = lastSeqOf(file, row.session_id);
      if (last >= row.seq) continue;
      if (last + 1 !== row.seq) {
        misfits.push(row);
        continue;
      }
      insertFact(file, row.session_id, row.seq, row.at, row.body);
      noteStand(file, row.session_id, row.seq, row.at, [JSON.parse(row.body) as Fact]);
    }
    return misfits;
  }

  /** After the transaction of `restore` was committed. */
  restored(): void {
    this.#saved = [];
  }
}

import { statfsSync } from "node:fs";
import type { Period } from "hermes-agent/plugin";
import type { SavedEntry } from "../entry.ts";

/** A file system's timestamps may lag the clock by one of its ticks. */
const MARGIN_MS = 20;
/** File systems whose timestamps come from another machine's clock: NFS, SMB, CIFS, 9p, FUSE. */
const REMOTE: ReadonlySet<number> = new Set([0x6969, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546]);

/** When a turn's calls ran, to tell their changes from changes that others made in between. */
export class CallTimes {
  readonly #calls: Period[] = [];

  /** @param lasting The call may start processes that outlive it. @returns A function to call when it ends. */
  begin(lasting: boolean): () => void {
    const call = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.add(call);
    return () => {
      if (!lasting) call.to = Date.now();
    };
  }

  /** Records that the turn changed files at that time. */
  add(period: Period): void {
    this.#calls.push(period);
  }

  /**
   * Whether it was changed after the first call began and while no call ran. A new name for an old file proves nothing.
   */
  byOthers(entry: SavedEntry | undefined): boolean {
    const [first] = this.#calls;
    if (first === undefined || entry === undefined || (entry.kind !== "file" && entry.kind !== "link")) return false;
    const { changedMs } = entry;
    return (
      changedMs > first.from &&
      !this.#calls.some(({ from, to }) => changedMs >= from - MARGIN_MS && changedMs <= to + MARGIN_MS)
    );
  }
}

/** Whether the file system's timestamps come from this machine's clock. */
export function hasOurClock(folder: string): boolean {
  try {
    return !REMOTE.has(statfsSync(folder).type);
  } catch {
    return false; // The path no longer exists.
  }
}

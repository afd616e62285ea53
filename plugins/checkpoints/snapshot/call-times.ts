import { statfsSync } from "node:fs";
import type { Period } from "hermes-agent/plugin";
import type { SavedEntry } from "../entry.ts";

/** File systems tell a time that may be older than the clock by one tick of theirs. */
const MARGIN_MS = 20;
/** Where another machine's clock sets the times: NFS, SMB, CIFS, 9p, FUSE. */
const REMOTE: ReadonlySet<number> = new Set([0x6969, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546]);

/** When a turn's calls ran, which tells what they changed from what somebody else changed meanwhile. */
export class CallTimes {
  readonly #calls: Period[] = [];

  /** @param lasting What it starts goes on after it. @returns To be called at its end. */
  begin(lasting: boolean): () => void {
    const call = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.add(call);
    return () => {
      if (!lasting) call.to = Date.now();
    };
  }

  /** Something of the turn changed files then. */
  add(period: Period): void {
    this.#calls.push(period);
  }

  /** Whether it was changed since the first call, and while none ran. A name that is new to an old file tells nothing. */
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

/** Whether times of files there are by the clock of this machine. */
export function hasOurClock(folder: string): boolean {
  try {
    return !REMOTE.has(statfsSync(folder).type);
  } catch {
    return false; // Gone: then there is nothing to tell.
  }
}

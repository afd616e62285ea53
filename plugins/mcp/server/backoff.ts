import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 250;
const MAX_MS = 60_000;

/**
 * Work that an untrusted server requests, as often as it likes: runs at once, one at a time, and again if requested
 * meanwhile, after pauses that double up to a minute while requests continue.
 */
export function moreAndMoreSeldom(
  work: () => Promise<void>,
  pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false }),
): () => void {
  let [busy, asked] = [false, false];
  const go = async (): Promise<void> => {
    busy = true;
    for (let ms = FIRST_MS; asked; ms = Math.min(ms * 2, MAX_MS)) {
      asked = false;
      await work();
      await pause(ms);
    }
    busy = false;
  };
  return () => {
    asked = true;
    if (!busy) void go();
  };
}

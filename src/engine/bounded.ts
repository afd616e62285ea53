import type { Clock } from "../contract/clock.ts";
import { OVER } from "./deadline.ts";

/** Waits for `work` at most `timeoutMs`. Rejects as `work` does; work that comes too late is ignored, its rejection too. */
export async function bounded<T>(work: PromiseLike<T>, timeoutMs: number, clock: Clock): Promise<{ readonly kind: "value"; readonly value: T } | { readonly kind: "timeout" }> {
  const stop = new AbortController();
  const timeout = clock.sleep(timeoutMs, stop.signal).then(
    () => ({ kind: "timeout" as const }),
    () => ({ kind: "timeout" as const }), // The work was first: nobody looks at this.
  );
  try {
    return await Promise.race([Promise.resolve(work).then((value) => ({ kind: "value" as const, value })), timeout]);
  } finally {
    stop.abort(OVER);
  }
}

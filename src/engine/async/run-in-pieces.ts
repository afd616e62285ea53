import type { Steps } from "../../safety/secrets/spans.ts";

/** Other work waits no longer than about this. */
const SLICE_SECONDS = 0.008;

/** Does long work in pieces, so that other work gets its turn between them. Short work ends at once, without a promise. */
export function runInPieces<T>(steps: Steps<T>): T | Promise<T> {
  let step = steps.next();
  if (step.done === true) return step.value;
  const until = process.uptime() + SLICE_SECONDS;
  while (process.uptime() < until) {
    step = steps.next();
    if (step.done === true) return step.value;
  }
  return new Promise<void>((resolve) => void setImmediate(resolve)).then(() => runInPieces(steps));
}

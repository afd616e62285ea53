import { fingerprint } from "../../contract/common/fingerprint.ts";
import type { Json } from "../../contract/common/json.ts";
import type { SettledOutcome } from "../../contract/tools/outcome.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import { canonicalText } from "../arguments/canonical-json.ts";

/**
 * How often in a row: one call failed in the same way, a tool failed whatever it was asked, one call gave the same
 * result.
 */
export interface Repeats {
  readonly exactFailure: number;
  readonly sameToolFailure: number;
  readonly noProgress: number;
}

/**
 * Counts how often a turn repeats itself. A new change to the world (a write or a command that was not seen before)
 * clears the counts of all other calls: running the tests again after an edit is no loop.
 */
export class LoopDetection {
  readonly #calls = new Map<string, { result: string; same: number; failures: number }>();
  readonly #tools = new Map<string, number>();
  readonly #seen = new Set<string>();

  /** The earlier results of this call and its tool. */
  count(tool: string, args: string): Repeats {
    const call = this.#calls.get(key(tool, args));
    return {
      exactFailure: call?.failures ?? 0,
      sameToolFailure: this.#tools.get(tool) ?? 0,
      noProgress: call?.same ?? 0,
    };
  }

  /** Takes in an end and says how often it came in a row, this time included. */
  settled(tool: string, args: string, outcome: SettledOutcome, effect: Effect): Repeats {
    const call = key(tool, args);
    const result = fingerprint(canonicalText(outcome as unknown as Json));
    if (outcome.kind === "ok" && effect !== "none" && effect !== "read" && !this.#seen.has(call + result)) {
      for (const other of this.#calls.keys()) if (other !== call) this.#calls.delete(other);
      this.#tools.clear();
    }
    this.#seen.add(call + result);
    const failed = outcome.kind === "failed";
    const before = this.#calls.get(call);
    // A call that is repeated with a different result each time waits for something: that is not a loop.
    const again = before?.result === result ? before : { same: 0, failures: 0 };
    this.#calls.set(call, { result, same: again.same + 1, failures: failed ? again.failures + 1 : 0 });
    this.#tools.set(tool, failed ? (this.#tools.get(tool) ?? 0) + 1 : 0);
    return this.count(tool, args);
  }
}

export interface LoopLimits {
  readonly warnAfter: Repeats;
  readonly refuseAfter: Repeats;
}

/** The warning for the model when a limit is reached, not each time after it. */
export function loopWarning(
  tool: string,
  repeats: Repeats,
  { warnAfter, refuseAfter }: LoopLimits,
): string | undefined {
  const kind = KINDS.find((each) => repeats[each] === warnAfter[each] && repeats[each] < refuseAfter[each]);
  if (kind === undefined) return undefined;
  const refused = Number.isFinite(refuseAfter[kind]) ? ` after ${refuseAfter[kind]} times it is refused.` : "";
  return `[Loop warning: "${tool}" ${SAYS[kind]} ${repeats[kind]} times in a row. Take another way${refused === "" ? "." : `;${refused}`}]`;
}

/** Why a call is not run once more, or nothing. */
export function loopRefusal(tool: string, repeats: Repeats, { refuseAfter }: LoopLimits): string | undefined {
  const kind = KINDS.find((each) => repeats[each] >= refuseAfter[each]);
  if (kind === undefined) return undefined;
  return kind === "sameToolFailure"
    ? `"${tool}" failed ${repeats[kind]} times in a row; it was not run again.`
    : `This call ${kind === "noProgress" ? "gave the same result" : "failed"} ${repeats[kind]} times; it was not run again.`;
}

const KINDS = ["noProgress", "exactFailure", "sameToolFailure"] as const satisfies readonly (keyof Repeats)[];
const SAYS: { readonly [kind in keyof Repeats]: string } = {
  noProgress: "gave the same result for the same arguments",
  exactFailure: "failed for the same arguments",
  sameToolFailure: "failed",
};

/** Equal calls have equal keys, however their arguments are spaced and ordered. */
export function key(tool: string, args: string): string {
  try {
    return `${tool} ${canonicalText(JSON.parse(args.trim() === "" ? "{}" : args) as Json)}`;
  } catch {
    return `${tool} ${args}`; // Not JSON: only the very same text is the same call.
  }
}

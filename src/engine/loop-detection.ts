import { fingerprint } from "../contract/fingerprint.ts";
import type { Json } from "../contract/json.ts";
import type { SettledOutcome } from "../contract/outcome.ts";
import type { Effect } from "../contract/tool.ts";
import { canonicalText } from "./canonical-json.ts";

/**
 * Counts how often the same call gave the same result in a turn. A new change to the world (a write or a command that was not seen
 * before) clears the counts of all other calls: running the tests again after an edit is no loop.
 */
export class LoopDetection {
  readonly #counts = new Map<string, { result: string; count: number }>();
  readonly #seen = new Set<string>();

  /** How often this call has given one and the same result in a row. */
  count(tool: string, args: string): number {
    return this.#counts.get(key(tool, args))?.count ?? 0;
  }

  /** Takes in an end and says how often it came in a row, this time included. */
  settled(tool: string, args: string, outcome: SettledOutcome, effect: Effect): number {
    const call = key(tool, args);
    const result = fingerprint(canonicalText(outcome as unknown as Json));
    if (outcome.kind === "ok" && effect !== "none" && effect !== "read" && !this.#seen.has(call + result)) {
      for (const other of this.#counts.keys()) if (other !== call) this.#counts.delete(other);
    }
    this.#seen.add(call + result);
    const known = this.#counts.get(call);
    if (known === undefined || known.result !== result) {
      this.#counts.set(call, { result, count: 1 });
      return 1;
    }
    return ++known.count;
  }
}

/** Equal calls have equal keys, however their arguments are spaced and ordered. */
export function key(tool: string, args: string): string {
  try {
    return `${tool} ${canonicalText(JSON.parse(args.trim() === "" ? "{}" : args) as Json)}`;
  } catch {
    return `${tool} ${args}`; // Not JSON: only the very same text is the same call.
  }
}

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Requirement {
  readonly id: string;
  readonly area: string;
  readonly behaviour: string;
  readonly kind: "must" | "adapt";
  readonly verify: string;
}

/** The original's requirements as testable statements, one a line, in the ledger's order. */
export function readLedger(): readonly Requirement[] {
  return readFileSync(join(import.meta.dirname, "seeds.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Requirement);
}

/**
 * Requirements R-01 and following, drawn from problems that users of such agents report; cited beside the ledger's ids.
 */
export const USER_REQUIREMENT_COUNT = 71;

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a test run saves its results, one JSON object a line. `npm run requirements` reads them. */
export const RESULTS_FILE = ".cache/test-results.jsonl";

/** Names the file to which the reporter in a test process appends results. */
export const RESULTS_VARIABLE = "TEST_RESULTS_FILE";

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly durationMs: number;
  /** A suite: its duration is the sum of its tests'. */
  readonly isSuite?: boolean;
  /** Absent if only tests inside this one failed. */
  readonly failure?: TestFailure;
}

export interface TestFailure {
  /** The suite that contains the test. */
  readonly suite?: string;
  readonly message: string;
  readonly actual?: string;
  readonly expected?: string;
  /** The first stack frame in the project. */
  readonly at?: string;
}

export function readResults(root: string): readonly TestResult[] {
  return parseResults(readFileSync(join(root, RESULTS_FILE), "utf8"));
}

export function parseResults(text: string): readonly TestResult[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as TestResult);
}

export function countOutcome(results: readonly TestResult[], outcome: TestResult["outcome"]): number {
  return results.filter((result) => result.outcome === outcome).length;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where a test run leaves what passed, for the coverage report. One JSON object a line. */
export const RESULTS_FILE = ".cache/test-results.jsonl";

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly durationMs: number;
  /** Absent where only tests inside it failed. */
  readonly failure?: TestFailure;
}

export interface TestFailure {
  /** The suite it stands in. */
  readonly suite?: string;
  readonly message: string;
  readonly actual?: string;
  readonly expected?: string;
  /** The first line of the stack that is ours. */
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

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Citation } from "../test/requirements/citations.ts";

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

/**
 * How what a citation stands above ended. Tests that a loop or a condition makes stand on lines of their own: then the worst of them counts, and
 * one that ran before one that was skipped. A contract suite's test is reported where the suite stands, so file and line fit there too.
 */
export function resultOf(
  citation: Pick<Citation, "file" | "testLine" | "lastLine">,
  results: readonly TestResult[],
): TestResult | undefined {
  const within = results.filter(
    ({ file, line }) => file === citation.file && line >= citation.testLine && line <= citation.lastLine,
  );
  const itself = within.filter(({ line }) => line === citation.testLine);
  const here = itself.length > 0 ? itself : within;
  return (
    here.find(({ outcome }) => outcome === "failed") ?? here.find(({ outcome }) => outcome === "passed") ?? here[0]
  );
}

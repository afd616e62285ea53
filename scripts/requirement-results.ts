/** Where a test run leaves what passed, for the coverage report. One JSON object a line. */
export const RESULTS_FILE = "node_modules/.cache/hermes/test-results.jsonl";

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
}

import { countOutcome, type TestResult } from "./results.ts";
import type { GroupRun } from "./run-group.ts";

const SLOWEST = 10;

/** `✔ src/host   312 passed, 0 failed, 2 skipped   12.3 s` */
export function groupLine({ name, results, seconds, broken }: GroupRun, width: number): string {
  const failed = broken !== undefined || countOutcome(results, "failed") > 0;
  const end = broken === undefined ? "" : `  ended with ${broken.status}`;
  return `${failed ? "✖" : "✔"} ${name.padEnd(width)}  ${counts(results, 0).padEnd(36)} ${seconds.toFixed(1).padStart(6)} s${end}`;
}

export function slowestTests(results: readonly TestResult[]): readonly string[] {
  return results
    .filter(({ isSuite, outcome }) => isSuite !== true && outcome !== "skipped")
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, SLOWEST)
    .map(
      ({ file, line, name, durationMs }) =>
        `${(durationMs / 1_000).toFixed(1).padStart(7)} s  ${file}:${line}  ${name}`,
    );
}

/** The last line of a run, which CI reads. A group that broke counts as a failure. */
export function sumLine(results: readonly TestResult[], broken: number, unsteady: number): string {
  return counts(results, broken) + (unsteady > 0 ? `, ${unsteady} unsteady` : "");
}

function counts(results: readonly TestResult[], broken: number): string {
  return `${countOutcome(results, "passed")} passed, ${countOutcome(results, "failed") + broken} failed, ${countOutcome(results, "skipped")} skipped`;
}

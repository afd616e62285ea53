import type { GroupRun } from "./run-group.ts";
import type { TestResult } from "./results.ts";

/** More failures than these are not caused by a busy machine. */
const MAX_RETRIED = 3;

/**
 * Selects the failed tests that run a second time, alone. A test that uses processes, disks and sockets may have failed
 * because the machine was busy; a memory test has no such excuse.
 * @param usesSystem Whether the tests of a group use processes, disks or sockets.
 * @returns The groups with the names of their failed tests; none if the first run is clear enough.
 */
export function groupsToRetry(
  runs: readonly GroupRun[],
  usesSystem: (group: string) => boolean,
): readonly { readonly run: GroupRun; readonly names: readonly string[] }[] {
  const failing = runs.filter((run) => run.broken !== undefined || failures(run.results).length > 0);
  const all = failing.flatMap((run) => failures(run.results));
  const isClear =
    failing.some((run) => run.broken !== undefined || !usesSystem(run.name)) ||
    all.length > MAX_RETRIED ||
    all.some(({ file }) => file === "");
  return isClear
    ? []
    : failing.map((run) => ({ run, names: [...new Set(failures(run.results).map(({ name }) => name))] }));
}

/** Replaces the results of the tests that ran again by their second results. */
export function mergeRetry(first: readonly TestResult[], second: readonly TestResult[]): readonly TestResult[] {
  const failed = new Set(first.filter(({ outcome }) => outcome === "failed").map(identity));
  const again = second.filter((result) => failed.has(identity(result)));
  const repeated = new Set(again.map(identity));
  return [...first.filter((result) => !repeated.has(identity(result))), ...again];
}

/** Returns the failures of the first run whose tests passed in the end. */
export function unsteadyResults(first: readonly TestResult[], last: readonly TestResult[]): readonly TestResult[] {
  const passed = new Set(last.filter(({ outcome }) => outcome === "passed").map(identity));
  return failures(first).filter(
    (result) =>
      passed.has(identity(result)) &&
      !last.some((other) => other.outcome === "failed" && identity(other) === identity(result)),
  );
}

function failures(results: readonly TestResult[]): readonly TestResult[] {
  return results.filter(({ failure }) => failure !== undefined);
}

function identity({ file, line, name }: TestResult): string {
  return `${file}:${line} ${name}`;
}

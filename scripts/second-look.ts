import type { TestResult } from "./requirement-results.ts";

/** Tests that run in one process, and how that went. */
export interface GroupRun {
  readonly name: string;
  readonly files: readonly string[];
  readonly results: readonly TestResult[];
  /** Its process ended badly without a failed test. */
  readonly broken: boolean;
}

/** More failures than these are no accident of the machine. */
const MOST = 3;

/**
 * Which groups are run a second time, for what failed in them alone, when nothing else runs. A test that meets real processes, disks and
 * sockets may have met a machine that was busy; one in memory may not fail at all.
 * @param isReal Whether the tests of a group meet such things.
 * @returns The groups with what failed in each; none where the first look says enough.
 */
export function secondLooks(
  runs: readonly GroupRun[],
  isReal: (group: string) => boolean,
): readonly { readonly run: GroupRun; readonly names: readonly string[] }[] {
  const failing = runs.filter((run) => run.broken || failures(run.results).length > 0);
  const all = failing.flatMap((run) => failures(run.results));
  const beyond =
    failing.some((run) => run.broken || !isReal(run.name)) || all.length > MOST || all.some(({ file }) => file === "");
  return beyond
    ? []
    : failing.map((run) => ({ run, names: [...new Set(failures(run.results).map(({ name }) => name))] }));
}

/** What holds after the second look: of a test that ran again, how it ended then. */
export function afterSecondLook(first: readonly TestResult[], second: readonly TestResult[]): readonly TestResult[] {
  const failed = new Set(first.filter(({ outcome }) => outcome === "failed").map(placeOf));
  const again = second.filter((result) => failed.has(placeOf(result)));
  const seen = new Set(again.map(placeOf));
  return [...first.filter((result) => !seen.has(placeOf(result))), ...again];
}

/** What failed first and passed in the end. */
export function unsteadyOf(first: readonly TestResult[], last: readonly TestResult[]): readonly TestResult[] {
  const passed = new Set(last.filter(({ outcome }) => outcome === "passed").map(placeOf));
  return failures(first).filter(
    (result) =>
      passed.has(placeOf(result)) &&
      !last.some((other) => other.outcome === "failed" && placeOf(other) === placeOf(result)),
  );
}

function failures(results: readonly TestResult[]): readonly TestResult[] {
  return results.filter(({ failure }) => failure !== undefined);
}

function placeOf({ file, line, name }: TestResult): string {
  return `${file}:${line} ${name}`;
}

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { failureReport } from "./failure-report.ts";
import { groupFiles, MEMORY_GROUP, type TestGroup } from "./groups.ts";
import { parseResults, type TestResult } from "./results.ts";
import { groupsToRetry, mergeRetry, unsteadyResults } from "./retry-failed.ts";
import { runGroup, type GroupRun } from "./run-group.ts";
import { groupLine, slowestTests, sumLine } from "./summary.ts";

export interface RunOptions {
  readonly root: string;
  readonly files: readonly string[];
  /** Show each test. */
  readonly verbose: boolean;
  readonly resultsFile: string;
}

/** Tests mostly wait for other processes, so more groups than processors run at once. */
const GROUPS_PER_PROCESSOR = 2;
const MAX_AT_ONCE = 8;

/**
 * Runs test files in groups and prints a line a group, the slowest tests, the failures and the counts. Saves the
 * results.
 * @returns Whether every test passed.
 */
export async function runTests({ root, files, verbose, resultsFile }: RunOptions): Promise<boolean> {
  const saved = join(root, resultsFile);
  const groups = groupFiles(files, lastDurations(saved));
  mkdirSync(dirname(saved), { recursive: true });

  const startedAt = performance.now();
  const width = Math.max(...groups.map(({ name }) => name.length));
  const show = verbose ? (groups.length === 1 ? "at once" : "at the end") : undefined;
  const inMemory = groups.filter(({ name }) => name === MEMORY_GROUP);
  const others = groups.filter(({ name }) => name !== MEMORY_GROUP);
  const runs = [
    ...(await runAll(inMemory, 1)),
    ...(await runAll(others, Math.min(MAX_AT_ONCE, GROUPS_PER_PROCESSOR * availableParallelism()))),
  ];

  const unsteady: TestResult[] = [];
  for (const { run: first, names } of groupsToRetry(runs, (name) => name !== MEMORY_GROUP)) {
    console.log(`\nRunning again, alone: ${names.join("; ")}`);
    const again = await runGroup(first, { root, resultsFile, names, show });
    console.log(groupLine(again, width));
    const results = mergeRetry(first.results, again.results);
    unsteady.push(...unsteadyResults(first.results, results));
    runs.splice(runs.indexOf(first), 1, { ...first, results, broken: again.broken });
  }

  const results = runs.flatMap((run) => run.results);
  const broken = runs.flatMap((run) => run.broken ?? []);
  // Another run in this clone may read or write it now.
  const fresh = `${saved}.${process.pid}`;
  writeFileSync(fresh, results.map((result) => `${JSON.stringify(result)}\n`).join(""));
  renameSync(fresh, saved);
  const slowest = slowestTests(results);
  if (files.length > 1 && slowest.length > 0) console.log(`\nSlowest tests:\n${slowest.join("\n")}`);
  console.log(`\nTotal time: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  if (unsteady.length > 0)
    console.log(
      `\nUnsteady: failed first, passed alone. Each is a defect to fix. The first failure:\n${failureReport(unsteady, []).join("\n")}`,
    );
  const failures = failureReport(results, broken);
  if (failures.length > 0) console.log(`\n${failures.join("\n")}`);
  console.log(`\n${sumLine(results, broken.length, unsteady.length)}`);
  return broken.length === 0 && results.every(({ outcome }) => outcome !== "failed");

  async function runAll(waiting: readonly TestGroup[], atOnce: number): Promise<readonly GroupRun[]> {
    const queue = [...waiting];
    const ended: GroupRun[] = [];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const run = await runGroup(next, { root, resultsFile, show });
        ended.push(run);
        console.log(groupLine(run, width));
        // A CI that stops the run at its time limit must have shown the failures by then.
        if (process.env["CI"] !== undefined) printFailures(run);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return ended;
  }
}

function printFailures({ results, broken }: GroupRun): void {
  const lines = failureReport(results, broken === undefined ? [] : [broken]);
  if (lines.length > 0) console.log(lines.join("\n"));
}

function lastDurations(resultsFile: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  if (!existsSync(resultsFile)) return sums;
  for (const { file, durationMs, isSuite } of parseResults(readFileSync(resultsFile, "utf8")))
    if (isSuite !== true) sums.set(file, (sums.get(file) ?? 0) + durationMs);
  return sums;
}

/**
 * `npm test [-- FILTER…]`: every test of the project, in memory first, then those that touch disk, processes and sockets.
 * A filter is a part of a file's path. Results are kept for `npm run requirements`. The few that failed among real processes are run once
 * more when nothing else runs; those that pass then are told as unsteady, with how they failed.
 */
import { spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { watchGroup, type GroupLimits } from "./group-watch.ts";
import { parseResults, RESULTS_FILE, type TestResult } from "./requirement-results.ts";
import { afterSecondLook, secondLooks, unsteadyOf, type GroupRun } from "./second-look.ts";
import { tellFailures, type BrokenGroup } from "./tell-failures.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const filters = process.argv.slice(2);
const files = globSync(
  ["src/**/*.test.ts", "plugins/**/*.test.ts", "test/**/*.test.ts", "examples/**/*.test.ts", "scripts/**/*.test.ts"],
  { cwd: root },
)
  .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
  .sort();
const touching = files.filter((file) => file.endsWith(".io.test.ts"));
const quick = files.filter((file) => !file.endsWith(".io.test.ts"));
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(", ")}.`);
  process.exit(2);
}

mkdirSync(dirname(join(root, RESULTS_FILE)), { recursive: true });
rmSync(join(root, RESULTS_FILE), { force: true });
/** Each group has a process of its own, a few run at once, the longest begin first, and all but the very first are told when they are done. */
const AT_ONCE = 4;
const LONGEST = ["end-to-end", "end-to-end-too", "whole", "parts"];
/** A test may take ten minutes; what goes on beyond that, or beyond any sound size, is ended before it takes the machine along. */
const TEST_MS = 600_000;
const LIMITS: GroupLimits = { silentMs: TEST_MS + 120_000, residentBytes: 6e9 };
/** Of what a group said, as much as tells where it was when its process broke. */
const LAST_LINES = 12;
const brokenGroups: BrokenGroup[] = [];
const groups = [...Map.groupBy(touching, groupOf)].sort(([a], [b]) => rank(a) - rank(b));
const runs: GroupRun[] = [await run("quick", quick, { shown: "now" })];
await Promise.all(Array.from({ length: AT_ONCE }, () => runGroups()));
const unsteady: TestResult[] = [];
for (const { run: first, names } of secondLooks(runs, (name) => name !== "quick")) {
  console.log(`\nOnce more, alone: ${names.join("; ")}`);
  const again = await run(first.name, first.files, { shown: "now", names });
  const results = afterSecondLook(first.results, again.results);
  unsteady.push(...unsteadyOf(first.results, results));
  runs.splice(runs.indexOf(first), 1, { ...first, results, broken: again.broken });
}
const results = runs.flatMap((one) => one.results);
writeFileSync(join(root, RESULTS_FILE), results.map((result) => `${JSON.stringify(result)}\n`).join(""));
tellSum();
process.exitCode = runs.some(({ broken }) => broken) || results.some(({ outcome }) => outcome === "failed") ? 1 : 0;

async function runGroups(): Promise<void> {
  for (let next = groups.shift(); next !== undefined; next = groups.shift())
    runs.push(await run(next[0], next[1], { shown: next[0] === LONGEST[0] ? "now" : "when done" }));
}

/** Tests of terminals mostly wait for engines and hosts: a group for each place. Of the others, those of the whole agent take three. */
function groupOf(file: string): string {
  return (
    /^plugins\/(terminal-[^/]+)\//.exec(file)?.[1] ??
    (/^test\/end-to-end\/[a-l]/.test(file)
      ? "end-to-end"
      : file.startsWith("test/end-to-end/")
        ? "end-to-end-too"
        : file.startsWith("test/")
          ? "whole"
          : "parts")
  );
}

function rank(group: string): number {
  const at = LONGEST.indexOf(group);
  return at < 0 ? LONGEST.length : at;
}

/** @param names Of the tests that run; all when absent. */
async function run(
  name: string,
  group: readonly string[],
  { shown, names = [] }: { readonly shown: "now" | "when done"; readonly names?: readonly string[] },
): Promise<GroupRun> {
  if (group.length === 0) return { name, files: group, results: [], broken: false };
  const reporter = process.stdout.isTTY ? "spec" : "dot";
  const part = `${RESULTS_FILE}.${name}`;
  const child = spawn(
    process.execPath,
    [
      "--conditions=hermes-source",
      "--test",
      "--test-isolation=none",
      // A connection that a service's own client keeps open must not hold the run up.
      "--test-force-exit",
      // For what hangs. No test says how long a sound one may take: on a machine with other work that is many times longer.
      `--test-timeout=${TEST_MS}`,
      `--test-reporter=${process.env.CI === undefined ? reporter : "spec"}`,
      "--test-reporter-destination=stdout",
      "--test-reporter=./scripts/requirement-reporter.ts",
      `--test-reporter-destination=${part}`,
      ...names.map((one) => `--test-name-pattern=${RegExp.escape(one)}`),
      ...group,
    ],
    { cwd: root, stdio: ["inherit", "pipe", "pipe"], env: cleanEnvironment() },
  );
  const said: Buffer[] = [];
  const complained: Buffer[] = [];
  child.stdout.on("data", (piece: Buffer) => (said.push(piece), shown === "now" && process.stdout.write(piece)));
  child.stderr.on("data", (piece: Buffer) => (complained.push(piece), process.stderr.write(piece)));
  let ended: string | undefined;
  const unwatch = watchGroup(child.pid!, join(root, part), LIMITS, (why) => {
    ended = `SIGKILL by this run (${why})`;
    child.kill("SIGKILL");
  });
  const status = await new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(ended ?? code ?? signal ?? 1)),
  );
  unwatch();
  if (shown === "when done") process.stdout.write(Buffer.concat(said));
  const results = existsSync(join(root, part)) ? parseResults(readFileSync(join(root, part), "utf8")) : [];
  rmSync(join(root, part), { force: true });
  const broken = status !== 0 && (status !== 1 || results.every(({ failure }) => failure === undefined));
  if (broken) brokenGroups.push({ name, status, lastLines: [...lastLines(said), ...lastLines(complained)] });
  return { name, files: group, results, broken };
}

function lastLines(said: readonly Buffer[]): readonly string[] {
  return Buffer.concat(said).toString().trimEnd().split("\n").slice(-LAST_LINES);
}

/** For people and for CI, over all groups: one line, then what failed and why. It is the end of the log, which is often all that is seen. */
function tellSum(): void {
  const count = (outcome: TestResult["outcome"]): number =>
    results.filter((result) => result.outcome === outcome).length;
  console.log(
    `\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped${unsteady.length > 0 ? `, ${unsteady.length} unsteady` : ""}`,
  );
  const told = tellFailures(results, brokenGroups);
  if (told.length > 0) console.log(`\n${told.join("\n")}`);
  if (unsteady.length > 0)
    console.log(
      `\nUnsteady: passed the second time, alone. Each is a defect to be mended. The first time:\n${tellFailures(unsteady, []).join("\n")}`,
    );
}

/** Tests start from nobody's home: no key, profile, setting or locale (shells warn of one that is not installed) of the person who runs them may colour a result. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(HERMES_(?!ORIGINAL$)|TERMINAL_|.*_API_KEY$|.*_TOKEN$|NODE_TEST_CONTEXT$|LC_ALL$)/.test(name),
    ),
  );
}

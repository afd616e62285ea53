import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MEMORY_GROUP, type TestGroup } from "./groups.ts";
import { parseResults, RESULTS_VARIABLE, type TestResult } from "./results.ts";
import { watchGroup, type GroupLimits } from "./watch-group.ts";

/** How the tests of one group ended. */
export interface GroupRun extends TestGroup {
  readonly results: readonly TestResult[];
  readonly seconds: number;
  /** The process ended without a report of a failed test, although its status is not 0. */
  readonly broken?: BrokenGroup;
}

export interface BrokenGroup {
  readonly name: string;
  readonly status: number | string;
  readonly lastLines: readonly string[];
}

export interface GroupOptions {
  readonly root: string;
  /** Saved results of the whole run; each group writes a part beside it, with the number of this process. */
  readonly resultsFile: string;
  /** Run only the tests with these names. */
  readonly names?: readonly string[];
  /** Receives the output of the tests: at once, or when the group has ended. */
  readonly show?: "at once" | "at the end";
}

/**
 * node:test stops a test after this time. Tests bound their own waits by seconds; a busy machine needs many times
 * longer for a sound test.
 */
const TEST_MS = 600_000;
/** A memory test has nothing to wait for. */
const MEMORY_TEST_MS = 60_000;
/** A process whose event loop is blocked, or whose memory grows without end, is killed. */
const LIMITS: GroupLimits = { silentMs: TEST_MS + 120_000, residentBytes: 6e9 };
/** Enough output to see where a process was when it broke. */
const LAST_LINES = 12;

/** Runs the tests of a group in a separate process. */
export async function runGroup(
  group: TestGroup,
  { root, resultsFile, names = [], show }: GroupOptions,
): Promise<GroupRun> {
  const part = join(root, `${resultsFile}.${process.pid}.${group.name.replaceAll(/[^\w-]/g, "_")}`);
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      // Node writes no coverage under its permission model.
      ...(group.name === MEMORY_GROUP && process.env["NODE_V8_COVERAGE"] === undefined ? memoryOnly(part) : []),
      "--conditions=hermes-source",
      "--import=./scripts/test/track-open-resources.ts",
      "--test",
      "--test-isolation=none",
      // A process that leaks would never end. The reporter fails the group that leaks, then Node ends it.
      "--test-force-exit",
      `--test-timeout=${group.name === MEMORY_GROUP ? MEMORY_TEST_MS : TEST_MS}`,
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      // Node would not wait for this reporter before a forced exit if both had one destination.
      "--test-reporter=./scripts/test/results-reporter.ts",
      "--test-reporter-destination=stderr",
      ...names.map((one) => `--test-name-pattern=${RegExp.escape(one)}`),
      ...group.files,
    ],
    { cwd: root, stdio: ["inherit", "pipe", "pipe"], env: { ...cleanEnvironment(), [RESULTS_VARIABLE]: part } },
  );
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (piece: Buffer) => {
      output.push(piece);
      if (show === "at once") process.stdout.write(piece);
    });
  let killed: string | undefined;
  const unwatch = watchGroup(child.pid!, part, LIMITS, (why) => {
    killed = `SIGKILL by the test runner (${why})`;
    child.kill("SIGKILL");
  });
  const status = await new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(killed ?? code ?? signal ?? 1)),
  );
  unwatch();
  if (show === "at the end") process.stdout.write(Buffer.concat(output));
  const results = existsSync(part) ? parseResults(readFileSync(part, "utf8")) : [];
  rmSync(part, { force: true });
  const explained = status === 0 || (status === 1 && results.some(({ failure }) => failure !== undefined));
  return {
    ...group,
    results,
    seconds: (performance.now() - startedAt) / 1_000,
    broken: explained ? undefined : { name: group.name, status, lastLines: lastLines(output) },
  };
}

/** Node's permissions enforce what a memory test is: it reads the project, writes nothing and starts nothing. */
function memoryOnly(part: string): readonly string[] {
  return ["--permission", "--allow-addons", "--allow-fs-read=*", `--allow-fs-write=${part}`];
}

function lastLines(output: readonly Buffer[]): readonly string[] {
  return Buffer.concat(output).toString().trimEnd().split("\n").slice(-LAST_LINES);
}

/**
 * Removes the user's keys, profiles, settings and locale: they would change results (shells warn of a locale that is
 * not installed).
 */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const clean = Object.entries(process.env).filter(
    ([name]) => !/^(HERMES_(?!ORIGINAL$)|TERMINAL_|.*_API_KEY$|.*_TOKEN$|NODE_TEST_CONTEXT$|LC_ALL$)/.test(name),
  );
  return { ...Object.fromEntries(clean), HERMES_CLONE_BUILD: "off" }; // Tests run the sources.
}

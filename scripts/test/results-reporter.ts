import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import { openResources } from "./open-resources.ts";
import { RESULTS_VARIABLE, type TestFailure, type TestResult } from "./results.ts";

/** node:test's message for an error that was thrown after its test had ended. It fails the run, but no test. */
const TOO_LATE = /asynchronous activity after the test ended/;
/** How long the process may take to close what its tests opened, and how often that is checked. */
const CLOSE_MS = 5_000;
const CHECK_MS = 50;
/** A vendor's client retries a lost service for about 20 s and then gives up: its timers may run out. */
const LIBRARY_TIMER = /^timer of .*, created outside the project/;
const LIBRARY_TIMERS_MS = 25_000;

/**
 * A node:test reporter that saves one line per test: its place, its outcome and the reason; last, a failure if tests
 * left something open. It appends to the file itself and yields nothing: node:test flushes a reporter's destination,
 * which Node's permissions deny to memory tests.
 */
export default async function* resultsReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const result = resultOf(event);
    if (result !== undefined) save(result);
  }
  const open = await stillOpen();
  if (open.length > 0)
    save(
      failedAfterwards(
        "tests close what they open",
        `The process could not exit ${CLOSE_MS / 1_000} s after its last test. Still open:\n${[...new Set(open)].map((line) => `- ${line}`).join("\n")}`,
      ),
    );
}

function save(result: TestResult): void {
  appendFileSync(process.env[RESULTS_VARIABLE]!, `${JSON.stringify(result)}\n`);
}

/**
 * The runner's `--test-force-exit` ends the process when this reporter has finished, so a leak delays the run by no
 * more than this.
 */
async function stillOpen(): Promise<readonly string[]> {
  const endedAt = performance.now();
  for (;;) {
    const open = openResources();
    const limitMs = open.every((line) => LIBRARY_TIMER.test(line)) ? LIBRARY_TIMERS_MS : CLOSE_MS;
    if (open.length === 0 || performance.now() - endedAt > limitMs) return open;
    await wait(CHECK_MS);
  }
}

function failedAfterwards(name: string, message: string): TestResult {
  return { file: "", line: 0, name, outcome: "failed", durationMs: 0, failure: { message } };
}

function resultOf(event: TestEvent): TestResult | undefined {
  if (event.type === "test:diagnostic" && TOO_LATE.test(event.data.message))
    return failedAfterwards("tests end before their work ends", event.data.message);
  if (event.type !== "test:pass" && event.type !== "test:fail") return undefined;
  const { file, line, name, skip, todo, details } = event.data;
  if (file === undefined || line === undefined) return undefined;
  const failed = event.type === "test:fail";
  const failure =
    event.type === "test:fail"
      ? failureOf(event.data.details.error, (event.data as { readonly classname?: string }).classname)
      : undefined;
  return {
    file: relative(process.cwd(), file),
    line,
    name,
    outcome: failed ? "failed" : skip !== undefined || todo !== undefined ? "skipped" : "passed",
    durationMs: Math.round(details.duration_ms),
    isSuite: details.type === "suite" ? true : undefined,
    failure,
  };
}

/** @param error node:test's own, around the error that was thrown. */
function failureOf(
  error: Error & { readonly failureType?: string },
  suite: string | undefined,
): TestFailure | undefined {
  if (error.failureType === "subtestsFailed") return undefined;
  const thrown = error.cause instanceof Error ? error.cause : error;
  const compared = thrown as {
    readonly actual?: unknown;
    readonly expected?: unknown;
    readonly generatedMessage?: boolean;
  };
  const at = thrown.stack
    ?.split("\n")
    .find((line) => /^\s+at .*file:\/\//.test(line) && !line.includes("/node_modules/"));
  const cause =
    thrown !== error && thrown.cause !== undefined
      ? ` (${thrown.cause instanceof Error ? thrown.cause.message : inspect(thrown.cause)})`
      : "";
  return {
    suite,
    message: `${error.failureType === "hookFailed" ? `${error.message}: ` : ""}${thrown === error ? "" : `${thrown.name}: `}${thrown.message}${cause}`,
    // A message that assert generated shows both sides itself.
    ...("expected" in compared && compared.generatedMessage !== true
      ? { actual: inspect(compared.actual), expected: inspect(compared.expected) }
      : {}),
    at: at?.trim(),
  };
}

import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import type { TestFailure, TestResult } from "./requirement-results.ts";

/** What node:test says of an error that was thrown when its test had ended. It fails the run, but no test. */
const TOO_LATE = /asynchronous activity after the test ended/;

/** A node:test reporter that writes one line per test: where it stands, how it ended and why. */
export default async function* requirementReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const result = resultOf(event);
    if (result !== undefined) yield `${JSON.stringify(result)}\n`;
  }
}

function resultOf(event: TestEvent): TestResult | undefined {
  if (event.type === "test:diagnostic" && TOO_LATE.test(event.data.message)) {
    return {
      file: "",
      line: 0,
      name: "what a test leaves does not fail after it",
      outcome: "failed",
      durationMs: 0,
      failure: { message: event.data.message },
    };
  }
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
    ...(failure === undefined ? {} : { failure }),
  };
}

/** @param error node:test's own, around what was thrown. */
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
    ...(suite === undefined ? {} : { suite }),
    message: `${error.failureType === "hookFailed" ? `${error.message}: ` : ""}${thrown === error ? "" : `${thrown.name}: `}${thrown.message}${cause}`,
    // A message that assert made shows both sides itself.
    ...("expected" in compared && compared.generatedMessage !== true
      ? { actual: inspect(compared.actual), expected: inspect(compared.expected) }
      : {}),
    ...(at === undefined ? {} : { at: at.trim() }),
  };
}

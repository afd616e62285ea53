import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";
import type { TestResult } from "./requirement-results.ts";

/** A node:test reporter that writes one line per test: where it stands and how it ended. */
export default async function* requirementReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { file, line, name, skip, todo } = event.data;
    if (file === undefined || line === undefined) continue;
    const outcome = event.type === "test:fail" ? "failed" : skip !== undefined || todo !== undefined ? "skipped" : "passed";
    yield `${JSON.stringify({ file: relative(process.cwd(), file), line, name, outcome } satisfies TestResult)}\n`;
  }
}

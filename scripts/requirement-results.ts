import type { Citation } from "../test/requirements/citations.ts";
import type { TestResult } from "./test/results.ts";

/**
 * Returns how the test ended that a citation refers to. A loop or a condition creates tests on lines of their own: then a failed one counts
 * first, and one that passed before one that was skipped. A contract suite's test reports the line of the suite, so file and line match there too.
 */
export function resultOf(
  citation: Pick<Citation, "file" | "testLine" | "lastLine">,
  results: readonly TestResult[],
): TestResult | undefined {
  const within = results.filter(
    ({ file, line }) => file === citation.file && line >= citation.testLine && line <= citation.lastLine,
  );
  const itself = within.filter(({ line }) => line === citation.testLine);
  const here = itself.length > 0 ? itself : within;
  return (
    here.find(({ outcome }) => outcome === "failed") ?? here.find(({ outcome }) => outcome === "passed") ?? here[0]
  );
}

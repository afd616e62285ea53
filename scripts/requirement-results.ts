import type { Citation } from "../test/requirements/citations.ts";
import type { TestResult } from "./test/results.ts";

/**
 * Returns the outcome of the test that a citation refers to. A loop or a condition creates several tests below one
 * citation: a failed one
 * decides first, and one that passed decides before one that was skipped. A contract suite's test reports the line of
 * the suite, so file and
 * line match there too.
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

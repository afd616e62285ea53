import assert from "node:assert/strict";
import { test } from "node:test";
import { resultOf } from "./requirement-results.ts";
import type { TestResult } from "./test/results.ts";

const citation = { file: "a.test.ts", testLine: 4, lastLine: 9 };
const result = (line: number, name: string, outcome: TestResult["outcome"], file = "a.test.ts"): TestResult => ({
  file,
  line,
  name,
  outcome,
  durationMs: 1,
});

test("finds tests whose names a loop computes by their position, not by their names", () => {
  const results = [
    result(3, "above", "failed"),
    result(5, "it does a", "skipped"),
    result(5, "it does b", "passed"),
    result(10, "below", "failed"),
    result(5, "elsewhere", "failed", "b.test.ts"),
  ];
  assert.equal(resultOf(citation, results)?.name, "it does b");
  assert.equal(resultOf(citation, [...results, result(7, "it does c", "failed")])?.name, "it does c");
  assert.equal(resultOf(citation, results.slice(0, 2))?.outcome, "skipped");
  assert.equal(resultOf(citation, [...results, result(4, "the suite itself", "passed")])?.name, "the suite itself");
  assert.equal(resultOf(citation, [results[0]!, results[3]!]), undefined);
});

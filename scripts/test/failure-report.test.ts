import assert from "node:assert/strict";
import { test } from "node:test";
import { failureReport } from "./failure-report.ts";
import type { TestResult } from "./results.ts";

const passed: TestResult = { file: "a.test.ts", line: 1, name: "works", outcome: "passed", durationMs: 1 };

test("reports a failed test with its place, suite, reason and both sides", () => {
  const failed: TestResult = {
    ...passed,
    line: 7,
    outcome: "failed",
    failure: {
      suite: "all",
      message: "AssertionError: counts\n\ndiffer",
      actual: "2",
      expected: "1",
      at: "at a.test.ts:9:3",
    },
  };
  assert.deepEqual(failureReport([passed, failed, { ...passed, name: "all", outcome: "failed" }], []), [
    "✖ a.test.ts:7 › all › works (1 ms)",
    "  at a.test.ts:9:3",
    "  AssertionError: counts",
    "  differ",
    "  expected: 1",
    "  actual: 2",
  ]);
  assert.deepEqual(failureReport([passed], []), []);
});

test("reports a group whose process broke, with its last output", () => {
  assert.deepEqual(failureReport([], [{ name: "whole", status: 13, lastLines: ["✔ one", "Warning: unsettled"] }]), [
    '✖ The process of the group "whole" ended with 13 before its tests were done. Its last output:',
    "  ✔ one",
    "  Warning: unsettled",
  ]);
});

test("many and long failures stay within the line limit, and the rest is counted", () => {
  const long = (name: string, lines: number): TestResult => ({
    ...passed,
    name,
    outcome: "failed",
    failure: { message: Array.from({ length: lines }, (_, index) => `line ${index}`).join("\n") },
  });
  const one = failureReport([long("a", 100)], [], 10);
  assert.equal(one.length, 10);
  assert.equal(one.at(-1), "  … 92 more lines");
  const two = failureReport([long("b", 100), long("a", 1)], [], 10);
  assert.deepEqual(
    [two.length, ...two.slice(-4)],
    [10, "  line 5", "  … 94 more lines", "✖ a.test.ts:1 › a (1 ms)", "  line 0"],
  );
  const many = failureReport(
    Array.from({ length: 30 }, (_, index) => long(String(index), 100)),
    [],
    21,
  );
  assert.equal(many.length, 21);
  assert.equal(many.at(-1), "… and 25 more");
});

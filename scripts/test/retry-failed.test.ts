import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsToRetry, mergeRetry, unsteadyResults } from "./retry-failed.ts";
import type { TestResult } from "./results.ts";
import type { GroupRun } from "./run-group.ts";

const result = (name: string, outcome: TestResult["outcome"] = "passed"): TestResult => ({
  file: "a.io.test.ts",
  line: 1,
  name,
  outcome,
  durationMs: 1,
  failure: outcome === "failed" ? { message: "no" } : undefined,
});
const run = (results: readonly TestResult[], more: Partial<GroupRun> = {}): GroupRun => ({
  name: "whole",
  files: ["a.io.test.ts"],
  results,
  seconds: 1,
  ...more,
});
const retried = (...runs: readonly GroupRun[]) =>
  groupsToRetry(runs, (name) => name !== "memory").map(({ run: { name }, names }) => [name, names]);

test("runs a failed test that uses the system again, by name and in its group", () => {
  assert.deepEqual(
    retried(run([result("a"), result("b", "failed"), result("b", "failed")]), run([result("c")], { name: "parts" })),
    [["whole", ["b"]]],
  );
});

test("retries no failed memory test, broken process or failure without a test, and not many failures", () => {
  assert.deepEqual(retried(run([result("a", "failed")], { name: "memory" })), []);
  assert.deepEqual(
    retried(
      run([result("a", "failed")]),
      run([], { name: "parts", broken: { name: "parts", status: 13, lastLines: [] } }),
    ),
    [],
  );
  assert.deepEqual(retried(run([{ ...result("late", "failed"), file: "" }])), []);
  assert.deepEqual(retried(run(["a", "b", "c", "d"].map((name) => result(name, "failed")))), []);
});

test("the second result counts; a test that did not run again keeps its first one", () => {
  const unsteady = (last: readonly TestResult[]) =>
    unsteadyResults([result("a"), result("b", "failed")], last).map(({ name }) => name);
  assert.deepEqual([unsteady([result("a"), result("b")]), unsteady([result("b"), result("b", "failed")])], [["b"], []]);
  const outcomes = (second: readonly TestResult[]) =>
    mergeRetry([result("a"), result("b", "failed"), result("b")], second).map(
      ({ name, outcome }) => `${name} ${outcome}`,
    );
  assert.deepEqual(outcomes([result("b"), result("b"), result("other")]), ["a passed", "b passed", "b passed"]);
  assert.deepEqual(outcomes([result("b"), result("b", "failed")]), ["a passed", "b passed", "b failed"]);
  assert.deepEqual(outcomes([]), ["a passed", "b failed", "b passed"]);
});

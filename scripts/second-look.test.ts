import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestResult } from "./requirement-results.ts";
import { afterSecondLook, secondLooks, unsteadyOf, type GroupRun } from "./second-look.ts";

const result = (name: string, outcome: TestResult["outcome"] = "passed"): TestResult => ({
  file: "a.io.test.ts",
  line: 1,
  name,
  outcome,
  durationMs: 1,
  ...(outcome === "failed" ? { failure: { message: "no" } } : {}),
});
const run = (results: readonly TestResult[], more: Partial<GroupRun> = {}): GroupRun => ({
  name: "whole",
  files: ["a.io.test.ts"],
  results,
  broken: false,
  ...more,
});
const looks = (...runs: readonly GroupRun[]) =>
  secondLooks(runs, (name) => name !== "quick").map(({ run: { name }, names }) => [name, names]);

test("what failed among real processes is run again, by name and in its group", () => {
  assert.deepEqual(
    looks(run([result("a"), result("b", "failed"), result("b", "failed")]), run([result("c")], { name: "parts" })),
    [["whole", ["b"]]],
  );
});

test("a failure in memory, a broken process, one that belongs to no test, and many at once stand", () => {
  assert.deepEqual(looks(run([result("a", "failed")], { name: "quick" })), []);
  assert.deepEqual(looks(run([result("a", "failed")]), run([], { name: "parts", broken: true })), []);
  assert.deepEqual(looks(run([{ ...result("late", "failed"), file: "" }])), []);
  assert.deepEqual(looks(run(["a", "b", "c", "d"].map((name) => result(name, "failed")))), []);
});

test("what passed the second time has passed; what failed again, or did not run again, has failed", () => {
  const unsteady = (last: readonly TestResult[]) =>
    unsteadyOf([result("a"), result("b", "failed")], last).map(({ name }) => name);
  assert.deepEqual([unsteady([result("a"), result("b")]), unsteady([result("b"), result("b", "failed")])], [["b"], []]);
  const outcomes = (second: readonly TestResult[]) =>
    afterSecondLook([result("a"), result("b", "failed"), result("b")], second).map(
      ({ name, outcome }) => `${name} ${outcome}`,
    );
  assert.deepEqual(outcomes([result("b"), result("b"), result("other")]), ["a passed", "b passed", "b passed"]);
  assert.deepEqual(outcomes([result("b"), result("b", "failed")]), ["a passed", "b passed", "b failed"]);
  assert.deepEqual(outcomes([]), ["a passed", "b failed", "b passed"]);
});

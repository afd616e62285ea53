import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test, type TestContext } from "node:test";
import { text } from "node:stream/consumers";
import { parseResults } from "./results.ts";

const root = join(import.meta.dirname, "../..");
const fixture = (name: string) => `scripts/test/fixtures/${name}`;

/** Runs the test runner on fixture tests, as `npm test` does. Times in its output are replaced by `T`. */
async function run(
  t: TestContext,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  folder = mkdtempSync(join(tmpdir(), "run-tests-")),
) {
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const results = relative(root, join(folder, "results.jsonl"));
  const { CI: _, ...outer } = process.env;
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", "scripts/test.ts", "--results", results, ...args],
    {
      cwd: root,
      env: { ...outer, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      signal: AbortSignal.timeout(60_000),
    },
  );
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return {
    status,
    out: out.replaceAll(/ +\d+\.\d s/g, " T").replaceAll(/\(\d+ ms\)/g, "(T)"),
    err,
    results: () =>
      parseResults(readFileSync(join(root, results), "utf8")).map(({ name, outcome }) => `${name}: ${outcome}`),
  };
}

test("a run prints one line per group, the slowest tests, the total time and, last, the counts", async (t) => {
  const { status, out, results } = await run(t, [fixture("passing.test.ts"), fixture("passing.io.test.ts")]);
  assert.deepEqual(out.split("\n"), [
    "✔ memory   1 passed, 0 failed, 0 skipped T",
    "✔ scripts  2 passed, 0 failed, 1 skipped T",
    "",
    "Slowest tests:",
    " T  scripts/test/fixtures/passing.io.test.ts:5  passes slowly",
    ...out.split("\n").slice(5, 7),
    "",
    "Total time: T",
    "",
    "3 passed, 0 failed, 1 skipped",
    "",
  ]);
  assert.equal(status, 0);
  assert.deepEqual(results(), [
    "passes in memory: passed",
    "passes slowly: passed",
    "passes quickly: passed",
    "is skipped: skipped",
  ]);
});

// field: T18
test("runs at the same time in one clone do not disturb each other", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "run-tests-"));
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => run(t, [fixture("passing.test.ts"), fixture("passing.io.test.ts")], {}, folder)),
  );
  for (const { status, out, err, results } of runs) {
    assert.deepEqual([status, err], [0, ""]);
    assert.match(out, /\n3 passed, 0 failed, 1 skipped\n/);
    assert.equal(results().length, 4);
  }
});

test("the quick run runs only memory tests, and --verbose shows each test", async (t) => {
  const { status, out, results } = await run(t, [
    "--quick",
    "--verbose",
    fixture("passing.test.ts"),
    fixture("passing.io.test.ts"),
  ]);
  assert.match(out, /^✔ passes in memory \(/m);
  assert.deepEqual([status, results()], [0, ["passes in memory: passed"]]);
});

test("reports a failure with its reason before the counts, in CI also after its group", async (t) => {
  const report = /✖ scripts\/test\/fixtures\/failing\.test\.ts:4 › fails in memory \(T\)\n[^]*?AssertionError/g;
  const plain = await run(t, [fixture("failing.test.ts")]);
  assert.equal(plain.status, 1);
  assert.equal(plain.out.match(report)?.length, 1);
  assert.match(plain.out, /^✖ memory {2}0 passed, 1 failed, 0 skipped/);
  assert.match(plain.out, /\n\n0 passed, 1 failed, 0 skipped\n$/);
  const ci = await run(t, [fixture("failing.test.ts")], { CI: "true" });
  assert.equal(ci.out.match(report)?.length, 2);
});

test("a memory test that writes a file or starts a process fails", async (t) => {
  const { status, results } = await run(t, [fixture("writing.test.ts")]);
  assert.equal(status, 1);
  assert.deepEqual(results(), ["writes a file: failed", "starts a process: failed"]);
});

test("a test that fails among others and passes alone is unsteady, not failed", async (t) => {
  const { status, out } = await run(t, [fixture("unsteady.io.test.ts")], {
    TMPDIR: mkdtempSync(join(tmpdir(), "unsteady-")),
  });
  assert.match(out, /Running again, alone: fails the first time\n/);
  assert.match(out, /Unsteady: [^]*✖ scripts\/test\/fixtures\/unsteady\.io\.test\.ts:\d+ › fails the first time/);
  assert.match(out, /\n1 passed, 0 failed, 0 skipped, 1 unsteady\n$/);
  assert.equal(status, 0);
});

test("a group that leaves handles open fails, and the report names each with the test that opened it", async (t) => {
  const { status, out } = await run(t, [fixture("leaking.io.test.ts")]);
  assert.equal(status, 1);
  const during = 'during "leaves a server, a child process and a timer open"';
  assert.match(out, /✖ tests close what they open/);
  assert.match(out, new RegExp(`- server 127\\.0\\.0\\.1:\\d+, created .* ${during}`));
  assert.match(
    out,
    new RegExp(
      `- child process \\d+: sleep 30, created at scripts/test/fixtures/leaking\\.io\\.test\\.ts:7.* ${during}`,
    ),
  );
  assert.match(
    out,
    new RegExp(`- timer of 60000 ms, created at scripts/test/fixtures/leaking\\.io\\.test\\.ts:8.* ${during}`),
  );
  assert.match(out, /\n1 passed, 1 failed, 0 skipped\n$/);
});

test("a process that ends before its tests breaks its group, which counts as a failure", async (t) => {
  const { status, out } = await run(t, [fixture("exiting.io.test.ts"), fixture("passing.test.ts")]);
  assert.equal(status, 1);
  assert.match(
    out,
    /✖ The process of the group "scripts" ended with 13 before its tests were done\. Its last output:\n[^]*the last words/,
  );
  assert.match(out, /\n1 passed, 1 failed, 0 skipped\n$/);
});

test("a file that cannot be loaded fails with the reason", async (t) => {
  const { status, out } = await run(t, [fixture("unloadable.io.test.ts")]);
  assert.equal(status, 1);
  assert.match(out, /this file cannot be loaded/);
  assert.match(out, /\n0 passed, 1 failed, 0 skipped\n$/);
});

test("a run reports a filter without a match, and fails", async (t) => {
  const { status, err } = await run(t, ["no-such-test"]);
  assert.deepEqual([status, err], [2, "No test file matches no-such-test.\n"]);
});

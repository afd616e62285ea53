import assert from "node:assert/strict";
import { test } from "node:test";
import type { SettledOutcome } from "../../../contract/tools/outcome.ts";
import { detailsOf } from "./call-details.ts";

const CALL = { name: "patch", declaration: undefined, args: { path: "a.txt" } };
const ok = (text: string): SettledOutcome => ({ kind: "ok", shown: [{ type: "text", text }] });
const EDIT = ok(
  JSON.stringify({ success: true, diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n" }),
);

test("shows an edit as a diff, if diffs are on", () => {
  assert.deepEqual(
    detailsOf(CALL, EDIT, { toolProgress: "all", diffs: true }).map(({ kind, text }) => [kind, text]),
    [
      ["plain", "--- a/a.txt"],
      ["plain", "+++ b/a.txt"],
      ["plain", "@@ -1,2 +1,2 @@"],
      ["removed", "-old"],
      ["added", "+new"],
      ["plain", " same"],
    ],
  );
  assert.deepEqual(detailsOf(CALL, EDIT, { toolProgress: "all", diffs: false }), []);
  assert.deepEqual(detailsOf(CALL, ok('{"diff": "--- cut'), { toolProgress: "all", diffs: true }), []);
  assert.deepEqual(
    detailsOf(CALL, { kind: "failed", code: "x", message: "no" }, { toolProgress: "all", diffs: true }),
    [],
  );
});

test("verbose shows arguments and result, each limited in length and without control characters", () => {
  const long = Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n");
  const lines = detailsOf(CALL, ok(`\u001b[2J${long}`), { toolProgress: "verbose", diffs: true }).map(
    ({ text }) => text,
  );
  assert.deepEqual(lines.slice(0, 3), ["{", '  "path": "a.txt"', "}"]);
  assert.equal(lines.length, 3 + 20);
  assert.equal(lines.at(-1), "… 41 more lines");
  assert.ok(!lines.join("").includes("\u001b"));
});

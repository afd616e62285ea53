import assert from "node:assert/strict";
import { test } from "node:test";
import type { Display } from "../../shared/display/display.ts";
import { detailsOf } from "./call-details.ts";

const CALL = { name: "patch", declaration: undefined, args: { path: "a.txt" } };
const EDIT = JSON.stringify({ success: true, diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n" });
const ALL = { toolProgress: "all", diffs: true } as const;
const LONG = Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n");

const texts = (
  result: string | undefined,
  display: Pick<Display, "toolProgress" | "diffs"> = ALL,
  size?: "short" | "expanded" | "whole",
  hint?: string,
): readonly string[] => detailsOf(CALL, result, display, size, hint).lines.map(({ text }) => text);

test("shows an edit as a diff, if diffs are on, and counts its lines in any case", () => {
  assert.deepEqual(
    detailsOf(CALL, EDIT, ALL).lines.map(({ kind, text }) => [kind, text]),
    [
      ["removed", "1 - old"],
      ["added", "1 + new"],
      ["plain", "2   same"],
    ],
  );
  const without = { ...ALL, diffs: false };
  assert.deepEqual([detailsOf(CALL, EDIT, without).summary, texts(EDIT, without)], ["+1 −1", []]);
  assert.deepEqual(texts(EDIT, without, "expanded").length, 3);
  assert.deepEqual(texts('{"diff": "--- cut'), []);
  assert.deepEqual(texts(undefined), []);
});

test("shows the newest lines of an output, and how to see the others", () => {
  const output = JSON.stringify({ output: LONG, exit_code: 0 });
  assert.deepEqual(texts(output, ALL, "short", "Ctrl-O shows all"), [
    "… 56 more lines (Ctrl-O shows all)",
    "line 56",
    "line 57",
    "line 58",
    "line 59",
  ]);
  assert.equal(texts(output, ALL, "expanded").length, 60);
  const endless = JSON.stringify({ output: "x\n".repeat(5_000), exit_code: 0 });
  assert.equal(texts(endless, ALL, "expanded").length, 200);
  assert.equal(texts(endless, ALL, "whole").length, 5_000);
});

test("verbose shows arguments and result, each limited in length and without control characters", () => {
  const lines = texts(`\u001b[2J${LONG}`, { toolProgress: "verbose", diffs: true });
  assert.deepEqual(lines.slice(0, 3), ["{", '  "path": "a.txt"', "}"]);
  assert.equal(lines.length, 3 + 20);
  assert.equal(lines.at(-1), "… 41 more lines");
  assert.ok(!lines.join("").includes("\u001b"));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines } from "../../shared/display/diff-lines.ts";
import { paintedPreview, type PreviewPaint } from "./painted-preview.ts";

const DIFF = "--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,3 @@\n /* one\n-two\n+2\n end */\n";

const paint: PreviewPaint = {
  dim: (text) => `d(${text})`,
  good: (text) => `g(${text})`,
  bad: (text) => `b(${text})`,
  accent: (text) => `a(${text})`,
  highlight: (code, language) => (language === "ts" ? code.split("\n").map((line) => `{${line}}`) : undefined),
  row: (kind, row) => `${kind}[${row}]`,
};

test("a diff has its code in colours on the background of what was added or removed", () => {
  assert.deepEqual(paintedPreview(diffLines(DIFF), 14, paint), [
    "d(1   ){/* one}",
    "removed[b(2 - ){two}  ]",
    "added[g(2 + ){2}    ]",
    "d(3   ){end */}",
  ]);
});

test("both sides of a diff are coloured as whole texts", () => {
  const seen: string[] = [];
  paintedPreview(diffLines(DIFF), 14, { ...paint, highlight: (code) => (seen.push(code), undefined) });
  assert.deepEqual(seen, ["/* one\ntwo\nend */", "/* one\n2\nend */"]);
});

test("without backgrounds, the text shows what was added and removed", () => {
  assert.deepEqual(paintedPreview(diffLines(DIFF), 14, { ...paint, row: () => undefined }).slice(1, 3), [
    "b(2 - two)",
    "g(2 + 2)",
  ]);
});

test("sentences wrap beside their mark, and hits are marked", () => {
  assert.deepEqual(paintedPreview([{ kind: "plain", text: "☐ read all of it", wraps: true }], 12, paint), [
    "d(☐ read all)",
    "d(  of it)",
  ]);
  assert.deepEqual(paintedPreview([{ kind: "plain", text: "a.ts:1: add(1)", found: [[8, 11]] }], 40, paint), [
    "d(a.ts:1: )a(add)d((1))",
  ]);
});

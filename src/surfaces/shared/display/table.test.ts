import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "./table.ts";
import { width } from "./width.ts";

test("aligns columns and cuts the last one at the screen width", () => {
  assert.equal(
    table(
      ["NAME", "WHAT"],
      [
        ["a", "short"],
        ["longer", "this sentence does not fit on a screen of thirty columns"],
      ],
      30,
    ),
    "NAME    WHAT\na       short\nlonger  this sentence does no…\n",
  );
});

test("wide characters and emoji count two columns", () => {
  assert.deepEqual(["abc", "汉字", "💻", "⚙️", "e\u0301"].map(width), [3, 4, 2, 2, 1]);
  assert.equal(
    table(
      ["A", "B"],
      [
        ["汉字", "x"],
        ["ab", "y"],
      ],
      40,
    ),
    "A     B\n汉字  x\nab    y\n",
  );
});

test("a cell with line breaks stays on one line", () => {
  assert.equal(table(["A", "B"], [["a", "one\ntwo"]], 40), "A  B\na  one two\n");
});

test("puts the last column below its row on a narrow screen, and never exceeds the screen width", () => {
  const shown = table(
    ["  ID", "LAST", "TITLE"],
    [
      ["✓ 20260407_090000_aaaaaa", "2026-04-07", "a title of some length, cut at the edge of the screen"],
      ["✓ b", "2026-04-07", ""],
    ],
    44,
  );
  assert.equal(
    shown,
    "  ID                      LAST\n    TITLE\n✓ 20260407_090000_aaaaaa  2026-04-07\n    a title of some length, cut at the edge…\n✓ b                       2026-04-07\n",
  );
});

test("a table for a pipe is as wide as it needs to be", () => {
  assert.equal(
    table(["A", "B"], [["a", "word ".repeat(60).trim()]], Infinity),
    `A  B\na  ${"word ".repeat(60).trim()}\n`,
  );
});

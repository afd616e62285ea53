import assert from "node:assert/strict";
import { test } from "node:test";
import { table } from "./table.ts";
import { width } from "../width.ts";

test("columns are aligned and the last one is cut to the screen", () => {
  assert.equal(
    table(["NAME", "WHAT"], [["a", "short"], ["longer", "this sentence does not fit on a screen of thirty columns"]], 30),
    "NAME    WHAT\na       short\nlonger  this sentence does no…\n",
  );
});

test("wide characters and emoji count two columns", () => {
  assert.deepEqual(["abc", "汉字", "💻", "⚙️", "e\u0301"].map(width), [3, 4, 2, 2, 1]);
  assert.equal(table(["A", "B"], [["汉字", "x"], ["ab", "y"]], 40), "A     B\n汉字  x\nab    y\n");
});

test("a cell with line breaks stays on one line", () => {
  assert.equal(table(["A", "B"], [["a", "one\ntwo"]], 40), "A  B\na  one two\n");
});

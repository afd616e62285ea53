import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { FAULT_ROWS, OPEN_ROWS } from "./matrix.ts";
import { marksOf, readRowMarks } from "./row-marks.ts";

const marks = readRowMarks(join(import.meta.dirname, "../.."));

test("a test injects every fault of the matrix, except the rows listed as open", () => {
  const held = new Set(marks.map(({ row }) => row));
  const without = FAULT_ROWS.filter(({ row }) => !held.has(row) && !OPEN_ROWS.includes(row)).map(
    ({ row, fault }) => `row ${row} (${fault}) has no test`,
  );
  assert.deepEqual(without, []);
});

test("every mark names a row of the matrix", () => {
  const known = new Set(FAULT_ROWS.map(({ row }) => row));
  assert.deepEqual(
    marks.filter(({ row }) => !known.has(row)).map(({ file, row }) => `${file}: row ${row}`),
    [],
  );
});

test("a mark is a number in a test's name, or a comment above it", () => {
  const text = [
    'test("row 17, crowd: fifty start", async () => {',
    "// rows 2 to 4, 10 and 13 of the fault matrix",
    "// req: R-01",
    "for (const one of all) {",
    '  test("cut", () => {',
    'test("row seven: no mark", () => {',
  ].join("\n");
  assert.deepEqual(
    marksOf("a", text).map(({ row, test: name }) => `${row} ${name}`),
    ["17 fifty start", "2 cut", "3 cut", "4 cut", "10 cut", "13 cut"],
  );
  assert.throws(() => marksOf("a", "// row 3 of the fault matrix\nconst x = 1;"), /a:1 marks a row/);
});

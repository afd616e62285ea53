import assert from "node:assert/strict";
import { test } from "node:test";
import { cutTo, width } from "./width.ts";

test("wide characters count two columns, marks and joiners none", () => {
  const columns: readonly (readonly [text: string, columns: number])[] = [
    ["plain", 5],
    ["漢字", 4],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["é", 1],
    ["e\u0301", 1],
    ["ก็", 1],
    ["⏰", 2],
    ["❓", 2],
    ["✅", 2],
    ["⚡", 2],
    ["⭐", 2],
    ["🀄", 2],
    ["💻", 2],
    ["🇩🇪", 2],
    ["⚙️", 2],
    ["🕸️", 2],
    ["✓", 1],
    ["→", 1],
    ["·", 1],
    ["…", 1],
    ["\u001b[31mred\u001b[39m", 3],
  ];
  assert.deepEqual(
    columns.map(([text]) => [text, width(text)]),
    columns.map(([text, wide]) => [text, wide]),
  );
});

test("a cut text fits its columns", () => {
  assert.equal(cutTo("漢字漢字", 5), "漢字…");
  assert.equal(cutTo("⏰ schedule", 6), "⏰ sc…");
});

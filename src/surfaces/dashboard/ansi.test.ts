import assert from "node:assert/strict";
import { test } from "node:test";
import { ansiLines } from "./page/parts/ansi.ts";

test("colours and styles last over lines until they are reset", () => {
  assert.deepEqual(ansiLines("\u001b[1;31mfailed\u001b[22m: a\nb\u001b[0m c"), [
    [
      { text: "failed", color: 1, ground: undefined, marks: ["bold"] },
      { text: ": a", color: 1, ground: undefined, marks: [] },
    ],
    [
      { text: "b", color: 1, ground: undefined, marks: [] },
      { text: " c", color: undefined, ground: undefined, marks: [] },
    ],
  ]);
});

test("reads bright, 256 and 24-bit colours, and swaps them when inverse", () => {
  const inks = ansiLines(
    "\u001b[92ma\u001b[38;5;9mb\u001b[38;5;196mc\u001b[38;5;240md\u001b[38;2;1;2;3me\u001b[7mf",
  )[0];
  assert.deepEqual(
    inks?.map(({ color, ground }) => [color, ground]),
    [
      [10, undefined],
      [9, undefined],
      ["#ff0000", undefined],
      ["#585858", undefined],
      ["#010203", undefined],
      [0, "#010203"],
    ],
  );
});

test("shows the last state of a line that a progress bar overwrote, and no other control sequence", () => {
  const text = (output: string): readonly string[] =>
    ansiLines(output).map((line) => line.map(({ text }) => text).join(""));
  assert.deepEqual(text("10%\r55%\r100%\r\ndone"), ["100%", "done"]);
  assert.deepEqual(text("\u001b]0;title\u0007a\u001b[2Kb\u001b[?25l\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\"), [
    "ablink",
  ]);
  assert.deepEqual(text("bell\u0007 \u202egnp.exe"), ["bell␇ \\u{202e}gnp.exe"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { paint } from "./paint.ts";

test("paints the exact colour, the nearest of 216, or nothing on a terminal with 16", () => {
  assert.equal(paint("#ff6247", "hot", 24), "\x1b[38;2;255;98;71mhot\x1b[39m");
  assert.deepEqual(
    ["#000000", "#ffffff", "#5f87af", "#ff0000"].map((colour) => paint(colour, "x", 8)),
    [16, 231, 67, 196].map((code) => `\x1b[38;5;${code}mx\x1b[39m`),
  );
  assert.equal(paint("#ff6247", "hot", 4), undefined);
});

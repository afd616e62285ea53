import assert from "node:assert/strict";
import { test } from "node:test";
import { backgroundOf, backgroundOfVariable } from "./background.ts";

test("a background is light or dark by its luminance", () => {
  const seen = [
    [0, 0, 0],
    [30, 30, 46],
    [0, 43, 54],
    [255, 255, 255],
    [253, 246, 227],
    [0, 0, 255],
  ].map(([r = 0, g = 0, b = 0]) => backgroundOf({ r, g, b }));
  assert.deepEqual(seen, ["dark", "dark", "dark", "light", "light", "dark"]);
});

test("COLORFGBG names the background at its end", () => {
  assert.deepEqual(["15;0", "0;15", "0;default;7", "12;8", "", undefined].map(backgroundOfVariable), [
    "dark",
    "light",
    "light",
    "dark",
    undefined,
    undefined,
  ]);
});

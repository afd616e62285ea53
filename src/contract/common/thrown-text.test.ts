import assert from "node:assert/strict";
import { test } from "node:test";
import { thrownWords } from "./thrown-text.ts";

test("prints any thrown value and never throws", () => {
  const circle: { [key: string]: unknown } = {};
  circle["self"] = circle;
  const message: readonly (readonly [thrown: unknown, words: string])[] = [
    [new TypeError("no city"), "no city"],
    ["just a text", "just a text"],
    [{ code: 5, message: "quota used up" }, "quota used up"],
    [{ code: 5 }, '{"code":5}'],
    [[1, 2], "1,2"],
    [undefined, "undefined"],
    [null, "null"],
    [5n, "5"],
    [circle, "a value that cannot be printed"],
    [
      {
        toString: () => {
          throw new Error("b");
        },
      },
      "a value that cannot be printed",
    ],
  ];
  for (const [thrown, words] of message) assert.equal(thrownWords(thrown), words);
});

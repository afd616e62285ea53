import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "./plain-text.ts";

// row 35 of the fault matrix
test("removes escape sequences, invisible characters and bidirectional overrides from terminal output", () => {
  assert.equal(
    plainText("\u001b[1;31mred\u001b[0m \u001b]52;c;aGk=\u0007a\u202eb\u200bc\u0000\tend\n"),
    "red abc\tend\n",
  );
});

test("shows the final state of an overwritten progress line", () => {
  assert.equal(plainText("10 %\r50 %\r100 %\ndone\r\n"), "100 %\ndone\n");
});

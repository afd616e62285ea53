import assert from "node:assert/strict";
import { test } from "node:test";
import { printable } from "./printable.ts";

test("escape sequences, bells and text direction marks are shown, not obeyed", () => {
  assert.equal(printable("a\x1b[2Jb\x07c\u009b1md\u202ee"), "a␛[2Jb␇c\\u{9b}1md\\u{202e}e");
});

test("words of any script, line ends and tabs stay as they are", () => {
  assert.equal(printable("汉字 👩‍💻\tnaïve\r\nnext\n"), "汉字 👩‍💻\tnaïve\nnext\n");
});

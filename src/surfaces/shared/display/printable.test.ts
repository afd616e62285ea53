import assert from "node:assert/strict";
import { test } from "node:test";
import { styleText } from "node:util";
import { paint } from "./paint.ts";
import { paintedOnly, printable } from "./printable.ts";

test("shows escape sequences, bells and text direction marks as symbols", () => {
  assert.equal(printable("a\x1b[2Jb\x07c\u009b1md\u202ee"), "a␛[2Jb␇c\\u{9b}1md\\u{202e}e");
});

test("shows zero-width characters as symbols, except for the joiners of scripts and emoji", () => {
  assert.equal(
    printable("bu\u200bild\ufeff\u2060x\u{e0041} می‌خواهم"),
    "bu\\u{200b}ild\\u{feff}\\u{2060}x\\u{e0041} می‌خواهم",
  );
});

test("does not change text of any script, line ends and tabs", () => {
  assert.equal(printable("汉字 👩‍💻\tnaïve\r\nnext\n"), "汉字 👩‍💻\tnaïve\nnext\n");
});

test("keeps the colour sequences that Hermes writes, and no other control sequence", () => {
  const ours = [
    ...(["bold", "dim", "italic", "underline", "strikethrough", "cyan", "yellow", "red", "green"] as const).map(
      (style) => styleText(style, "汉 a", { validateStream: false }),
    ),
    paint("#7aa2f7", "b", 24)!,
    paint("#7aa2f7", "c", 8)!,
  ].join(" ");
  assert.equal(paintedOnly(ours), ours);
  assert.equal(paintedOnly("\x1b[8mhidden\x1b[0m\x1b[2J\x1b]0;t\x07\x1b[1A\r"), "␛[8mhidden\x1b[0m␛[2J␛]0;t␇␛[1A␍");
});

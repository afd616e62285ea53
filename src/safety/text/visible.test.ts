import assert from "node:assert/strict";
import { test } from "node:test";
import { findDeception, makeVisible, stripTerminal } from "./visible.ts";

test("shows hidden, reordering and control characters as their code", () => {
  assert.equal(
    makeVisible("a\u202eb\u200bc\x1b[2Kd\re\u{e0041}f\ttab\nline"),
    "a\\u{202e}b\\u{200b}c\\u{1b}[2Kd\\u{d}e\\u{e0041}f\ttab\nline",
  );
  assert.equal(makeVisible("naïve café 你好 👩 ok"), "naïve café 你好 👩 ok");
});

test("removes terminal sequences from output, and keeps text and line ends", () => {
  assert.equal(
    stripTerminal(
      "\x1b[31mred\x1b[0m \x1b]0;title\x07x\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\ \x1b(Bok\x9b1mz\x07\x08!\r\n",
    ),
    "red xlink okz!\r\n",
  );
  assert.equal(stripTerminal("\x1b]52;c;never ended\nnext"), "\nnext");
  assert.equal(stripTerminal("plain"), "plain");
  assert.equal(stripTerminal("\x1b]".repeat(1_000_000)), "", "a scan for the end of each sequence would be quadratic");
});

test("finds deceptive characters, but not ordinary joiners of emoji and scripts", () => {
  assert.equal(findDeception("ls \x1b[1A")?.kind, "escape");
  assert.equal(findDeception("ls \u202e")?.kind, "bidi");
  assert.equal(findDeception("l\u200bs")?.kind, "zero-width");
  assert.equal(findDeception("ls\u{e0072}")?.kind, "tag");
  assert.equal(findDeception("ls\rrm")?.kind, "control");
  assert.equal(findDeception("echo '👨\u200d👩\u200d👧' 'می\u200cخواهم' \t\n"), undefined);
});

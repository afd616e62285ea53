import assert from "node:assert/strict";
import { test } from "node:test";
import { VimKeys } from "./vim-keys.ts";

/** Types keys in normal mode; `|` marks the cursor, and `<i>` that text can be inserted there. */
function typed(before: string, keys: string, vim = new VimKeys()): string {
  let buffer = { text: before.replace("|", ""), at: before.indexOf("|") };
  let mode = "normal";
  for (const key of keys) {
    assert.equal(mode, "normal", `before ${key}`);
    const result = vim.press(key, buffer);
    if (result.kind === "changed") ({ buffer, mode } = result);
  }
  return `${buffer.text.slice(0, buffer.at)}|${buffer.text.slice(buffer.at)}${mode === "insert" ? "<i>" : ""}`;
}

const CASES: readonly (readonly [before: string, keys: string, after: string])[] = [
  ["one |two three", "w", "one two |three"],
  ["|one two three", "2w", "one two |three"],
  ["one two|.three", "b", "one |two.three"],
  ["|one two", "e", "on|e two"],
  ["one.two |x", "B", "|one.two x"],
  ["one |two", "0", "|one two"],
  ["  one |two", "^", "  |one two"],
  ["|one two", "$", "one tw|o"],
  ["o|ne\ntwo", "j", "one\nt|wo"],
  ["one\nt|wo", "k", "o|ne\ntwo"],
  ["one\n|two\nthree", "gg", "|one\ntwo\nthree"],
  ["|one\ntwo\nthree", "G", "one\ntwo\n|three"],
  ["|one\ntwo\nthree", "2G", "one\n|two\nthree"],
  ["|find a comma, here", "f,", "find a comma|, here"],
  ["|find a comma, here", "t,", "find a comm|a, here"],
  ["a,b,|c", "2F,", "a|,b,c"],
  ["|one two three", "dw", "|two three"],
  ["|one two three", "d2w", "|three"],
  ["|one two three", "2dw", "|three"],
  ["one |two\nthree", "dw", "one| \nthree"],
  ["one |two three", "cw", "one | three<i>"],
  ["one t|wo three", "diw", "one | three"],
  ["one t|wo three", "daw", "one |three"],
  ["one t|wo three", "ciw", "one | three<i>"],
  ["one |two three", "D", "one| "],
  ["one |two three", "d$", "one| "],
  ["one |two three", "C", "one |<i>"],
  ["one |two three", "db", "|two three"],
  ["one |two", "de", "one| "],
  ["one\nt|wo\nthree", "dd", "one\n|three"],
  ["one\nt|wo", "dd", "|one"],
  ["o|ne\ntwo\nthree", "2dd", "|three"],
  ["o|ne\ntwo\nthree", "dj", "|three"],
  ["one\nt|wo\nthree", "cc", "one\n|\nthree<i>"],
  ["one\nt|wo\nthree", "S", "one\n|\nthree<i>"],
  ["o|ne", "x", "o|e"],
  ["on|e", "x", "o|n"],
  ["on|e", "2X", "|e"],
  ["|👩‍👩‍👧x", "x", "|x"],
  ["|one", "s", "|ne<i>"],
  ["|one", "rx", "|xne"],
  ["|one", "2~", "ON|e"],
  ["on|e\n  two", "J", "one| two"],
  ["|one two", "ywP", "one| one two"],
  ["|one\ntwo", "yyp", "one\n|one\ntwo"],
  ["|one\ntwo", "ddp", "two\n|one"],
  ["o|ne", "i", "o|ne<i>"],
  ["o|ne", "a", "on|e<i>"],
  ["  on|e", "I", "  |one<i>"],
  ["o|ne", "A", "one|<i>"],
  ["o|ne\ntwo", "o", "one\n|\ntwo<i>"],
  ["one\nt|wo", "O", "one\n|\ntwo<i>"],
  ["o|ne", "dz", "o|ne"],
  ["o|ne", "fz", "o|ne"],
];

for (const [before, keys, after] of CASES)
  test(`${keys} makes ${JSON.stringify(after)} of ${JSON.stringify(before)}`, () =>
    assert.equal(typed(before, keys), after));

test("u and Ctrl-R trigger the editor's undo and redo", () => {
  const vim = new VimKeys();
  assert.deepEqual(vim.press("u", { text: "", at: 0 }), { kind: "undo" });
  assert.deepEqual(vim.press("\x12", { text: "", at: 0 }), { kind: "redo" });
});

test("shows an incomplete command, and waits for the rest", () => {
  const vim = new VimKeys();
  for (const key of "2d3") assert.deepEqual(vim.press(key, { text: "a b", at: 0 }), { kind: "pending" });
  assert.equal(vim.pending, "2d3");
});

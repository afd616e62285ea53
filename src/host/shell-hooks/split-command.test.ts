import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCommand } from "./split-command.ts";

test("words are taken as a POSIX shell quotes them, and nothing is expanded", () => {
  assert.deepEqual(splitCommand(`notify 'a b' "c \\"d\\" $HOME" e\\ f '' g"h"i *.txt`), [
    "notify",
    "a b",
    'c "d" $HOME',
    "e f",
    "",
    "ghi",
    "*.txt",
  ]);
  assert.deepEqual(splitCommand("  "), []);
  assert.throws(() => splitCommand("say 'hello"), /a ' is not closed/);
});

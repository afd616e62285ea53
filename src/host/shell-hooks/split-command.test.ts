import assert from "node:assert/strict";
import { test } from "node:test";
import { splitCommand } from "./split-command.ts";

test("splits words with POSIX shell quoting, and expands nothing", () => {
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

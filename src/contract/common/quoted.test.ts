import assert from "node:assert/strict";
import { test } from "node:test";
import { quoted } from "./quoted.ts";

test("a quoted string is one shell word without expansion", () => {
  assert.deepEqual(["plain", "", "two words", "it's", "'", `$HOME \`id\` "x"\n\\`].map(quoted), [
    "'plain'",
    "''",
    "'two words'",
    "'it'\\''s'",
    "''\\'''",
    "'$HOME `id` \"x\"\n\\'",
  ]);
});

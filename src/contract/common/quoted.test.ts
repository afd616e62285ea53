import assert from "node:assert/strict";
import { test } from "node:test";
import { quoted } from "./quoted.ts";

test("whatever is quoted is one word in which a shell sees nothing of its own", () => {
  assert.deepEqual(["plain", "", "two words", "it's", "'", `$HOME \`id\` "x"\n\\`].map(quoted), [
    "'plain'",
    "''",
    "'two words'",
    "'it'\\''s'",
    "''\\'''",
    "'$HOME `id` \"x\"\n\\'",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExact } from "./parse-exact.ts";

test("keeps integers beyond double precision as digits, and parses everything else as JSON", () => {
  const cases: readonly (readonly [text: string, value: unknown])[] = [
    ['{"id":1234567890123456789,"n":12}', { id: "1234567890123456789", n: 12 }],
    ["[-9007199254740993, 9007199254740991]", ["-9007199254740993", 9007199254740991]],
    ['{"a":{"b":[18446744073709551616]}}', { a: { b: ["18446744073709551616"] } }],
    [
      "[1795431131.619000123456789, 12345678901234567890e3, 1e300, 0.12345678901234567890]",
      ["1795431131.619000123456789", "12345678901234567890e3", "1e300", "0.12345678901234567890"].map(Number),
    ],
    ['{"text":"1234567890123456789"}', { text: "1234567890123456789" }],
    ["1234567890123456789", "1234567890123456789"],
  ];
  for (const [text, value] of cases) assert.deepEqual(parseExact(text), value, text);
  assert.throws(() => parseExact("{1234567890123456789}"), SyntaxError);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { expandBraces } from "./braces.ts";
import { Budget } from "./budget.ts";

const expand = (text: string): readonly string[] | undefined => expandBraces(text, new Budget(10_000));

test("expands lists, nested lists and sequences in bash's order", () => {
  assert.deepEqual(expand("{rm,-rf,dist}"), ["rm", "-rf", "dist"]);
  assert.deepEqual(expand("a{b,c{d,e}}f"), ["abf", "acdf", "acef"]);
  assert.deepEqual(expand("{a,b}{1,2}"), ["a1", "a2", "b1", "b2"]);
  assert.deepEqual(expand("{1..4}"), ["1", "2", "3", "4"]);
  assert.deepEqual(expand("{5..1..2}"), ["5", "3", "1"]);
  assert.deepEqual(expand("{c..a}"), ["c", "b", "a"]);
  assert.deepEqual(expand("r{,}m"), ["rm", "rm"]);
});

test("leaves quoted braces, parameters and text that is not a brace list unchanged", () => {
  for (const text of [
    "'{a,b}'",
    '"{a,b}"',
    String.raw`\{a,b\}`,
    "${x,y}",
    "$(echo {a,b})",
    "{a}",
    "{}",
    "{a,b",
    "a,b}",
    "{..}",
    "{1..b}",
  ])
    assert.deepEqual(expand(text), [text], text);
});

test("a comma in quotes or in a substitution does not split a list", () => {
  assert.deepEqual(expand("{a','b,c}"), ["a','b", "c"]);
  assert.deepEqual(expand("{$(f a,b),c}"), ["$(f a,b)", "c"]);
});

test("a long sequence is cut to its start and end, and too many words are refused", () => {
  const items = expand("{1..1000000}")!;
  assert.equal(items.length, 17);
  assert.equal(items.at(-1), "1000000");
  assert.equal(expand("{a,b}".repeat(8)), undefined);
  assert.equal(expand("x".repeat(5000)), undefined);
});

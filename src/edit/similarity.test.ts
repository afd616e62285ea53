import assert from "node:assert/strict";
import { test } from "node:test";
import { isAlike, similarity } from "./similarity.ts";

// The ratios are Python's difflib.SequenceMatcher(None, a, b, autojunk=False).ratio().
const CASES: readonly (readonly [string, string, number])[] = [
  ["", "", 1],
  ["abc", "", 0],
  ["abcd", "bcde", 0.75],
  ["qabxcd", "abycdf", 0.6666666666666666],
  ["private Thread currentThread;", "private volatile Thread currentThread;", 0.8656716417910447],
  ["const a = 1;", "let b = 22;", 0.5217391304347826],
  ["aaaa", "aa", 0.6666666666666666],
];

for (const [a, b, ratio] of CASES) {
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} have the similarity ${ratio.toFixed(2)}`, () => {
    assert.ok(Math.abs(similarity(a, b) - ratio) < 1e-12, String(similarity(a, b)));
    for (const bar of [0.3, 0.5, 0.7, 0.8, 0.95]) assert.equal(isAlike(a, b, bar), ratio >= bar);
  });
}

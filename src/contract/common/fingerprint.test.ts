import assert from "node:assert/strict";
import { test } from "node:test";
import { fingerprint } from "./fingerprint.ts";

test("a fingerprint is sixteen hex digits, the same for the same text on every machine", () => {
  assert.deepEqual(["", "hello", "汉字"].map(fingerprint), [
    "30a00dd6c223ada3",
    "f56321ce9d3890f3",
    "d771086b2aaab568",
  ]);
});

test("100,000 texts that differ by little have 100,000 fingerprints", () => {
  const prints = new Set<string>();
  for (let index = 0; index < 50_000; index += 1) {
    prints.add(fingerprint(`a prefix of some length, then ${index}`));
    prints.add(fingerprint(`${index}, then an ending of some length`));
  }
  assert.equal(prints.size, 100_000);
});

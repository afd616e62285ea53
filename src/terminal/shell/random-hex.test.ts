import assert from "node:assert/strict";
import { test } from "node:test";
import { randomHex } from "./random-hex.ts";

test("random hex digits have the requested length and never repeat", () => {
  const seen = new Set(Array.from({ length: 500 }, () => randomHex(9)));
  assert.equal(seen.size, 500);
  for (const one of seen) assert.match(one, /^[0-9a-f]{18}$/);
  assert.equal(randomHex(2_000).length, 4_000);
});

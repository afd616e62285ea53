import assert from "node:assert/strict";
import { test } from "node:test";
import { checksum, recordChecksum } from "./checksum.ts";

test("the checksum of a text never changes, since stored records depend on it", () => {
  assert.equal(checksum(""), 5212364168244812);
  assert.equal(checksum("facts are appended, never changed"), 849660239847157);
});

test("one changed letter, position or time changes the checksum, which fits a SQLite integer exactly", () => {
  const base = recordChecksum("s", 1, 1000, 1, '{"type":"turn.started"}');
  const others = [
    recordChecksum("t", 1, 1000, 1, '{"type":"turn.started"}'),
    recordChecksum("s", 2, 1000, 1, '{"type":"turn.started"}'),
    recordChecksum("s", 1, 1001, 1, '{"type":"turn.started"}'),
    recordChecksum("s", 1, 1000, 1, '{"type":"turn.startee"}'),
  ];
  assert.equal(new Set([base, ...others]).size, 5);
  for (const sum of [base, ...others]) assert.ok(Number.isSafeInteger(sum) && sum >= 0);
});

test("texts that differ in one position practically never have the same checksum", () => {
  const sums = new Set<number>();
  for (let at = 0; at < 200; at++)
    for (let bit = 0; bit < 8; bit++) {
      const text = [..."x".repeat(200)];
      text[at] = String.fromCharCode(120 ^ (1 << bit));
      sums.add(checksum(text.join("")));
    }
  assert.equal(sums.size, 1600);
});

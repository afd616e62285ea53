import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedOutput } from "./bounded-output.ts";

test("keeps output within the limit whole, however it was split", () => {
  for (const size of [1, 3, 7, 100]) {
    const output = new BoundedOutput(40, 60);
    const text = "0123456789".repeat(10);
    for (let at = 0; at < text.length; at += size) output.push(Buffer.from(text.slice(at, at + size)));
    assert.deepEqual(output.saved(), { head: text, tail: "", omittedBytes: 0 }, `pieces of ${size}`);
  }
});

test("preserves the order while growing in many steps", () => {
  const output = new BoundedOutput(0, 300_000);
  const text = Array.from({ length: 40_000 }, (_, n) => `${n}\n`).join("");
  for (let at = 0; at < text.length; at += 1_024) output.push(Buffer.from(text.slice(at, at + 1_024)));
  assert.equal(output.saved().tail + output.saved().head, text);
});

test("keeps the first and the last bytes of output over the limit, and counts the rest", () => {
  for (const size of [1, 7, 59, 60, 61, 5_000]) {
    const output = new BoundedOutput(4, 6);
    const text = Array.from({ length: 1_000 }, (_, n) => n % 10).join("");
    for (let at = 0; at < text.length; at += size) output.push(Buffer.from(text.slice(at, at + size)));
    assert.deepEqual(output.saved(), { head: "0123", tail: "456789", omittedBytes: 990 }, `pieces of ${size}`);
  }
});

test("cuts only between characters", () => {
  const output = new BoundedOutput(4, 4);
  output.push(Buffer.from("漢".repeat(10)));
  assert.deepEqual(output.saved(), { head: "漢", tail: "漢", omittedBytes: 24 });
});

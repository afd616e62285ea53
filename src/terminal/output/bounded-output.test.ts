import assert from "node:assert/strict";
import { test } from "node:test";
import { BoundedOutput } from "./bounded-output.ts";

test("what fits is kept whole, in whatever pieces it came", () => {
  for (const size of [1, 3, 7, 100]) {
    const output = new BoundedOutput(40, 60);
    const text = "0123456789".repeat(10);
    for (let at = 0; at < text.length; at += size) output.push(Buffer.from(text.slice(at, at + size)));
    assert.deepEqual(output.saved(), { head: text, tail: "", omittedBytes: 0 }, `pieces of ${size}`);
  }
});

test("growing in many steps keeps the order", () => {
  const output = new BoundedOutput(0, 300_000);
  const text = Array.from({ length: 40_000 }, (_, n) => `${n}\n`).join("");
  for (let at = 0; at < text.length; at += 1_024) output.push(Buffer.from(text.slice(at, at + 1_024)));
  assert.equal(output.saved().tail + output.saved().head, text);
});

test("of more than fits, the first and the last bytes are kept and the rest is counted", () => {
  for (const size of [1, 7, 59, 60, 61, 5_000]) {
    const output = new BoundedOutput(4, 6);
    const text = Array.from({ length: 1_000 }, (_, n) => n % 10).join("");
    for (let at = 0; at < text.length; at += size) output.push(Buffer.from(text.slice(at, at + size)));
    assert.deepEqual(output.saved(), { head: "0123", tail: "456789", omittedBytes: 990 }, `pieces of ${size}`);
  }
});

test("a cut falls between characters", () => {
  const output = new BoundedOutput(4, 4);
  output.push(Buffer.from("漢".repeat(10)));
  assert.deepEqual(output.saved(), { head: "漢", tail: "漢", omittedBytes: 24 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { canonical, canonicalText } from "./canonical-json.ts";

test("equal values have equal bytes, whatever the order of their keys", () => {
  assert.equal(canonicalText({ b: [{ d: 1, c: undefined, a: null }], a: "x" }), '{"a":"x","b":[{"a":null,"d":1}]}');
  assert.equal(canonicalText([2, 1]), "[2,1]");
});

test("does not copy a value already in order, and treats __proto__ as a plain key", () => {
  const ordered = { a: [1, { b: 2 }], c: null };
  assert.equal(canonical(ordered), ordered);
  const odd = JSON.parse('{"b":1,"__proto__":{"y":1,"x":2}}');
  assert.equal(canonicalText(odd), '{"__proto__":{"x":2,"y":1},"b":1}');
  assert.equal((canonical(odd) as { x?: number }).x, undefined);
});

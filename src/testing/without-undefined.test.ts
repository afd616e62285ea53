import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutUndefined } from "./without-undefined.ts";

test("drops undefined keys at every depth and keeps null, empty values and array positions", () => {
  assert.deepEqual(
    withoutUndefined({ a: undefined, b: null, c: [{ d: undefined, e: 0 }, undefined], f: { g: undefined } }),
    {
      b: null,
      c: [{ e: 0 }, undefined],
      f: {},
    },
  );
});

test("returns instances of classes unchanged", () => {
  const at = new Date(0);
  const bytes = Buffer.from("a");
  const map = new Map([["a", undefined]]);
  const copy = withoutUndefined({ at, bytes, map });
  assert.equal(copy.at, at);
  assert.equal(copy.bytes, bytes);
  assert.equal(copy.map, map);
});

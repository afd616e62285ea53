import assert from "node:assert/strict";
import { test } from "node:test";
import { definedFields } from "./defined-fields.ts";

test("omits undefined fields, and keeps null, false and empty ones in the same key order", () => {
  const fields: object = definedFields({ b: undefined, z: null, a: false, c: "", d: 0, e: undefined });
  assert.deepEqual(fields, { z: null, a: false, c: "", d: 0 });
  assert.deepEqual(Object.keys(fields), ["z", "a", "c", "d"]);
});

test("spreading the defined fields overrides only what is defined", () => {
  const name: string | undefined = undefined;
  assert.deepEqual({ name: "before", ...definedFields({ name, size: 1 }) }, { name: "before", size: 1 });
});

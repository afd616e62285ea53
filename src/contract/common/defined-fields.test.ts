import assert from "node:assert/strict";
import { test } from "node:test";
import { definedFields } from "./defined-fields.ts";

test("leaves out undefined fields, keeps null, false and empty ones, and the order of the keys", () => {
  const fields: object = definedFields({ b: undefined, z: null, a: false, c: "", d: 0, e: undefined });
  assert.deepEqual(fields, { z: null, a: false, c: "", d: 0 });
  assert.deepEqual(Object.keys(fields), ["z", "a", "c", "d"]);
});

test("a spread of them overrides only what is defined", () => {
  const name: string | undefined = undefined;
  assert.deepEqual({ name: "before", ...definedFields({ name, size: 1 }) }, { name: "before", size: 1 });
});

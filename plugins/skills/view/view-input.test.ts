import assert from "node:assert/strict";
import { test } from "node:test";
import { VIEW_INPUT } from "./view-input.ts";

const { validate } = VIEW_INPUT["~standard"];

test("a wish for a skill's file is taken by the original's word and by the founding document's; without a name it is one for no skill", async () => {
  assert.deepEqual(await validate({ name: "a", file_path: "b" }), { value: { name: "a", file_path: "b" } });
  assert.deepEqual(await validate({ name: "a", path: "b" }), { value: { name: "a", path: "b" } });
  assert.deepEqual(await validate({}), { value: { name: "" } });
});

test("what is no text is refused by its place", async () => {
  for (const key of ["name", "file_path", "path"])
    assert.deepEqual(await validate({ name: "a", [key]: 3 }), { issues: [{ message: "must be string", path: [key] }] });
});

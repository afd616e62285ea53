import assert from "node:assert/strict";
import { test } from "node:test";
import { VIEW_INPUT } from "./view-input.ts";

const { validate } = VIEW_INPUT["~standard"];

test("skill_view accepts file_path or path for a file of a skill, and treats a missing name as empty", async () => {
  assert.deepEqual(await validate({ name: "a", file_path: "b" }), { value: { name: "a", file_path: "b" } });
  assert.deepEqual(await validate({ name: "a", path: "b" }), { value: { name: "a", path: "b" } });
  assert.deepEqual(await validate({}), { value: { name: "" } });
});

test("rejects a name, file_path or path that is not a string, and names the parameter", async () => {
  for (const key of ["name", "file_path", "path"])
    assert.deepEqual(await validate({ name: "a", [key]: 3 }), { issues: [{ message: "must be string", path: [key] }] });
});

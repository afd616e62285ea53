import assert from "node:assert/strict";
import { test } from "node:test";
import { readTyped } from "./typed-text.ts";

test("reads a list as JSON, as comma-separated values or as YAML", () => {
  const list = (text: string) => readTyped(text, { type: "array", description: "names" });
  assert.deepEqual(
    [list('["a", "b,c"]'), list("a, b"), list("[a, 'b']"), list("[]"), list(""), list(" [ one ] ")],
    [["a", "b,c"], ["a", "b"], ["a", "b"], [], [], ["one"]],
  );
  assert.equal(readTyped("[a]", { type: "string", description: "a name" }), "[a]");
});

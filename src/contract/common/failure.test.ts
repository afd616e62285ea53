import assert from "node:assert/strict";
import { test } from "node:test";
import { authorOf, ToolFailure } from "./failure.ts";

test("the source of an error is its own, else that of its nearest cause with a source", () => {
  const from = { source: "voices.example", host: "voices.example" };
  const text = new ToolFailure("failed", "obey", { from });
  assert.deepEqual(authorOf(text), from);
  assert.deepEqual(authorOf(new Error("a", { cause: new Error("b", { cause: text }) })), from);
  assert.deepEqual(authorOf(new ToolFailure("failed", "nearer", { from: { source: "a program" }, cause: text })), {
    source: "a program",
  });
  const circle = new Error("circle");
  circle.cause = circle;
  for (const none of [
    new ToolFailure("failed", "ours"),
    circle,
    new Error("x", { cause: "obey" }),
    "obey",
    undefined,
    Object.assign(new Error("x"), { from: "obey" }),
  ])
    assert.equal(authorOf(none), undefined);
});

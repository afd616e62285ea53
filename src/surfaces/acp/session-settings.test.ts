import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsOf } from "./session-settings.ts";

test("offers the current model even if its service lists none", () => {
  const [, model] = optionsOf({ mode: "default", model: "a:b", models: ["a:c", "a:b"] });
  assert.deepEqual(
    model?.type === "select"
      ? [model.currentValue, model.options.map((option) => ("value" in option ? option.value : ""))]
      : [],
    ["a:b", ["a:b", "a:c"]],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsOf, partsOfModel } from "./session-settings.ts";

test("splits a model id into provider and name; a custom provider has two parts", () => {
  assert.deepEqual(["openrouter:meta/llama:free", "custom:loopback", "custom:house:llama3"].map(partsOfModel), [
    { provider: "openrouter", name: "meta/llama:free" },
    { provider: "custom", name: "loopback" },
    { provider: "custom:house", name: "llama3" },
  ]);
});

test("offers the current model even if its service lists none", () => {
  const [, model] = optionsOf({ mode: "default", model: "a:b", models: ["a:c", "a:b"] });
  assert.deepEqual(
    model?.type === "select"
      ? [model.currentValue, model.options.map((option) => ("value" in option ? option.value : ""))]
      : [],
    ["a:b", ["a:b", "a:c"]],
  );
});

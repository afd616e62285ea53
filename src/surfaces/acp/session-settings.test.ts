import assert from "node:assert/strict";
import { test } from "node:test";
import { optionsOf, partsOfModel } from "./session-settings.ts";

test("a model's id is its provider and its name, where providers of one's own have two words", () => {
  assert.deepEqual(["openrouter:meta/llama:free", "custom:loopback", "custom:house:llama3"].map(partsOfModel), [
    { provider: "openrouter", name: "meta/llama:free" },
    { provider: "custom", name: "loopback" },
    { provider: "custom:house", name: "llama3" },
  ]);
});

test("the model in use can be chosen also where its service lists nothing", () => {
  const [, model] = optionsOf({ mode: "default", model: "a:b", models: ["a:c", "a:b"] });
  assert.deepEqual(
    model?.type === "select"
      ? [model.currentValue, model.options.map((option) => ("value" in option ? option.value : ""))]
      : [],
    ["a:b", ["a:b", "a:c"]],
  );
});

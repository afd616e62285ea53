import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOfModel } from "./changing-session.ts";

test("splits a model id into provider and name; a custom provider has two parts", () => {
  assert.deepEqual(["openrouter:meta/llama:free", "custom:loopback", "custom:house:llama3"].map(partsOfModel), [
    { provider: "openrouter", name: "meta/llama:free" },
    { provider: "custom", name: "loopback" },
    { provider: "custom:house", name: "llama3" },
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../contract/services/app.ts";
import { namedModel } from "./named-model.ts";

const app = {
  models: {
    providers: async () =>
      ["openai", "openrouter", "custom:The Lab", "custom:lab"].map((id) => ({
        id,
        label: id,
        keyEnv: [],
        ready: true,
      })),
  },
} as unknown as App;

test("the word before the first slash is a provider if one has that name, else part of the model's name", async () => {
  const current = { provider: "openrouter", offline: false };
  assert.deepEqual(await namedModel(app, "openai/gpt-5", current), { provider: "openai", model: "gpt-5" });
  assert.deepEqual(await namedModel(app, "openrouter/meta/llama", current), {
    provider: "openrouter",
    model: "meta/llama",
  });
  for (const name of ["meta/llama", "llama3:8b", "gpt-5", "custom:", "/x"])
    assert.deepEqual(await namedModel(app, name, current), { provider: "openrouter", model: name });
});

test("a custom endpoint is a provider by its name alone, and a colon separates like a slash", async () => {
  const current = { provider: "openrouter", offline: false };
  for (const name of ["lab/fake", "Lab:fake", "custom:lab/fake", "custom:lab:fake"])
    assert.deepEqual(await namedModel(app, name, current), { provider: "custom:lab", model: "fake" });
  assert.deepEqual(await namedModel(app, "the lab/a/b:free", current), {
    provider: "custom:The Lab",
    model: "a/b:free",
  });
  assert.deepEqual(await namedModel(app, "openai:gpt-5", current), { provider: "openai", model: "gpt-5" });
});

test("refuses a name without a provider while only the built-in rules answer", async () => {
  for (const name of ["nope", "nope/x"])
    await assert.rejects(namedModel(app, name, { provider: "offline", offline: true }), {
      message: `"${name}" does not name a provider.`,
      hint: "Write provider/name. Providers: openai, openrouter, custom:The Lab, custom:lab.",
    });
  await assert.rejects(namedModel(app, "openroutr/meta/llama", { provider: "offline", offline: true }), {
    hint: /^Did you mean "openrouter\/meta\/llama"\? Write provider\/name\./,
  });
});

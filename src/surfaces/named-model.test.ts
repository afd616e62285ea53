import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../contract/app.ts";
import { namedModel } from "./named-model.ts";

const app = { models: { providers: async () => ["openai", "openrouter"].map((id) => ({ id, label: id, keyEnv: [], ready: true })) } } as unknown as App;

test("the word before the first slash is a provider if there is one of that name, else part of the model's name", async () => {
  const current = { provider: "openrouter", offline: false };
  assert.deepEqual(await namedModel(app, "openai/gpt-5", current), { provider: "openai", model: "gpt-5" });
  assert.deepEqual(await namedModel(app, "openrouter/meta/llama", current), { provider: "openrouter", model: "meta/llama" });
  assert.deepEqual(await namedModel(app, "meta/llama", current), { provider: "openrouter", model: "meta/llama" });
});

test("where only the built-in rules answer, a name alone serves nobody", async () => {
  for (const name of ["nope", "nope/x"]) await assert.rejects(namedModel(app, name, { provider: "offline", offline: true }), { message: `"${name}" does not say which provider serves it.`, hint: "Write provider/name. Providers: openai, openrouter." });
  await assert.rejects(namedModel(app, "openroutr/meta/llama", { provider: "offline", offline: true }), { hint: /^Did you mean "openrouter\/meta\/llama"\? Write provider\/name\./ });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { idFormOf, wireId } from "./call-ids.ts";

const IDS = [
  "call_abc123def456",
  "toolu_01A",
  "functions.read_file:0",
  "functions_read_file_0",
  "c.1",
  "c_1",
  "x".repeat(90),
  "é 1",
];

// field: M06
test("maps an ID to a form that the service accepts, equal for equal IDs and different for different ones", () => {
  const rules = { mistral: /^[a-zA-Z0-9]{9}$/, plain: /^[a-zA-Z0-9_-]{1,64}$/, short: /^.{1,40}$/, long: /^.{1,64}$/ };
  for (const [form, rule] of Object.entries(rules) as [keyof typeof rules, RegExp][]) {
    const mapped = IDS.map((id) => wireId(id, form));
    for (const id of mapped) assert.match(id, rule, form);
    assert.equal(new Set(mapped).size, IDS.length, form);
    assert.deepEqual(
      IDS.map((id) => wireId(id, form)),
      mapped,
    );
  }
  assert.equal(wireId("abcDEF123", "mistral"), "abcDEF123");
  assert.equal(wireId("call_1-A", "plain"), "call_1-A");
  assert.equal(wireId("functions.read_file:0", undefined), "functions.read_file:0");
});

test("selects the ID format by service, by model, and by what the service demanded earlier", () => {
  const formOf = (id: string, model: string, more: { baseUrl?: string; learned?: string } = {}) =>
    idFormOf(
      {
        row: { id, label: id, keyEnv: [] },
        baseUrl: more.baseUrl,
        refused: new Map(more.learned === undefined ? [] : [[model, new Set([more.learned])]]),
      },
      model,
    );
  assert.equal(formOf("mistral", "m"), "mistral");
  assert.equal(formOf("custom", "Devstral-Small"), "mistral");
  assert.equal(formOf("custom", "m", { baseUrl: "https://api.mistral.ai/v1" }), "mistral");
  assert.equal(formOf("openai", "gpt-5"), "short");
  assert.equal(formOf("openrouter", "openai/gpt-5"), "short");
  assert.equal(formOf("openrouter", "anthropic/claude-sonnet-4.5"), "plain");
  assert.equal(formOf("custom", "m"), undefined);
  assert.equal(formOf("custom", "m", { learned: "ids:mistral" }), "mistral");
});

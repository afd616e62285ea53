import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type Json } from "hermes-agent/plugin";
import { presetInUse } from "./preset.ts";

const NAMED: Json = {
  reference_models: [{ provider: "a", model: "x" }, { model: "y" }, { provider: "b" }, "z"],
  aggregator: { provider: "c", model: "w" },
};
const preset = (settings: { readonly [path: string]: Json }) => presetInUse((path) => settings[path]);

test("reads a preset from the settings, with the tool's defaults for missing values", () => {
  const one = preset({ "moa.default_preset": "mine", "moa.presets": { mine: NAMED } });
  assert.deepEqual(one, {
    name: "mine",
    references: [
      { label: "a/x", provider: "a", setting: "presets.mine.reference_models.0" },
      { label: "y", provider: undefined, setting: "presets.mine.reference_models.1" },
    ],
    aggregator: { label: "c/w", provider: "c", setting: "presets.mine.aggregator" },
    referenceTemperature: 0.6,
    aggregatorTemperature: 0.4,
    referenceTokens: 32_000,
    aggregatorTokens: 32_000,
  });
  const { referenceTemperature, aggregatorTokens } = preset({
    "moa.presets": { default: { ...(NAMED as object), reference_temperature: 0, max_tokens: 7 } },
  });
  assert.deepEqual([referenceTemperature, aggregatorTokens], [0, 7]);
});

test("names what a preset lacks, with the setting to change", () => {
  const cases: readonly (readonly [Json, RegExp])[] = [
    [{ mine: NAMED }, /no preset "default".*|one of: mine/],
    [{ default: { ...(NAMED as object), enabled: false } }, /disabled/],
    [{ default: { ...(NAMED as object), reference_models: [] } }, /no models to ask/],
    [{ default: { ...(NAMED as object), aggregator: { provider: "c" } } }, /no model that combines/],
  ];
  for (const [presets, words] of cases)
    assert.throws(
      () => preset({ "moa.presets": presets }),
      (thrown) => thrown instanceof ToolFailure && words.test(thrown.message) && thrown.hint !== undefined,
    );
});

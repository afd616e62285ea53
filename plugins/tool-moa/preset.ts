import { ToolFailure, objectOf, type Json } from "hermes-agent/plugin";

/** Whom a question goes to, as the person's settings have it. */
export interface Preset {
  readonly name: string;
  readonly references: readonly Slot[];
  readonly aggregator: Slot;
  readonly referenceTemperature: number;
  readonly aggregatorTemperature: number;
  readonly referenceTokens: number;
  readonly aggregatorTokens: number;
}

export interface Slot {
  /** As people read it: `openrouter/deepseek/deepseek-v3.2`. */
  readonly label: string;
  readonly provider: string | undefined;
  /** Where in the section `moa` it stands. */
  readonly setting: string;
}

const TOKENS = 32_000;

/** @throws {ToolFailure} that says what of the settings is missing. */
export function presetInUse(config: (path: string) => Json | undefined): Preset {
  const chosen = config("moa.default_preset");
  const name = typeof chosen === "string" && chosen !== "" ? chosen : "default";
  const presets = objectOf(config("moa.presets"));
  if (!Object.hasOwn(presets, name))
    throw missing(
      `There is no preset "${name}" in moa.presets.`,
      `moa.default_preset names one of: ${Object.keys(presets).join(", ") || "none yet"}.`,
    );
  const preset = objectOf(presets[name]);
  if (preset["enabled"] === false)
    throw missing(`The preset "${name}" is switched off.`, `hermes config set moa.presets.${name}.enabled true`);
  const listed = preset["reference_models"];
  const references = (Array.isArray(listed) ? (listed as readonly Json[]) : []).flatMap(
    (one, at) => slotOf(one, `presets.${name}.reference_models.${at}`) ?? [],
  );
  if (references.length === 0)
    throw missing(
      `The preset "${name}" names no model to ask.`,
      `moa.presets.${name}.reference_models is a list of { provider, model }.`,
    );
  const aggregator = slotOf(preset["aggregator"], `presets.${name}.aggregator`);
  if (aggregator === undefined)
    throw missing(
      `The preset "${name}" names no model that combines the answers.`,
      `moa.presets.${name}.aggregator is { provider, model }.`,
    );
  const number = (key: string, otherwise: number): number =>
    typeof preset[key] === "number" ? preset[key] : otherwise;
  return {
    name,
    references,
    aggregator,
    referenceTemperature: number("reference_temperature", 0.6),
    aggregatorTemperature: number("aggregator_temperature", 0.4),
    referenceTokens: number("reference_max_tokens", TOKENS),
    aggregatorTokens: number("max_tokens", TOKENS),
  };
}

function slotOf(value: Json | undefined, setting: string): Slot | undefined {
  const { provider, model } = objectOf(value);
  if (typeof model !== "string" || model.trim() === "") return undefined;
  const named = typeof provider === "string" && provider.trim() !== "" ? provider.trim() : undefined;
  return { label: named === undefined ? model : `${named}/${model}`, provider: named, setting };
}

function missing(message: string, hint: string): ToolFailure {
  return new ToolFailure("unavailable", message, { hint });
}

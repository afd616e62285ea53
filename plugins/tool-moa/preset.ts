import { ToolFailure, objectOf, type Json } from "hermes-agent/plugin";

/** The models of a question, from the user's settings. */
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
  /** For display: `openrouter/deepseek/deepseek-v3.2`. */
  readonly label: string;
  readonly provider: string | undefined;
  /** Path of the model in the section `moa` of config.yaml. */
  readonly setting: string;
}

const TOKENS = 32_000;

/** @throws {ToolFailure} that names the missing setting. */
export function presetInUse(config: (path: string) => Json | undefined): Preset {
  const chosen = config("moa.default_preset");
  const name = typeof chosen === "string" && chosen !== "" ? chosen : "default";
  const presets = objectOf(config("moa.presets"));
  if (!Object.hasOwn(presets, name))
    throw missing(
      `moa.presets has no preset "${name}".`,
      `Set moa.default_preset to one of: ${Object.keys(presets).join(", ") || "none yet"}.`,
    );
  const preset = objectOf(presets[name]);
  if (preset["enabled"] === false)
    throw missing(
      `The preset "${name}" is disabled.`,
      `Enable it with: hermes config set moa.presets.${name}.enabled true`,
    );
  const listed = preset["reference_models"];
  const references = (Array.isArray(listed) ? (listed as readonly Json[]) : []).flatMap(
    (one, at) => slotOf(one, `presets.${name}.reference_models.${at}`) ?? [],
  );
  if (references.length === 0)
    throw missing(
      `The preset "${name}" has no models to ask.`,
      `Set moa.presets.${name}.reference_models to a list of { provider, model }.`,
    );
  const aggregator = slotOf(preset["aggregator"], `presets.${name}.aggregator`);
  if (aggregator === undefined)
    throw missing(
      `The preset "${name}" has no model that combines the answers.`,
      `Set moa.presets.${name}.aggregator to { provider, model }.`,
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

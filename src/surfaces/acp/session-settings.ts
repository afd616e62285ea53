import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import { badRequest } from "./request-failure.ts";

/** What a person at the editor can choose for a session. */
export interface SessionSettings {
  readonly mode: ModeId;
  readonly model: ModelId;
  /** Models that can take its place; filled when their services have listed them. */
  readonly models: readonly ModelId[];
}

/** `provider:model`. */
export type ModelId = string;

const MODES = [
  { id: "default", name: "Ask", description: "Ask before anything risky, as the settings say" },
  {
    id: "yolo",
    name: "Do not ask",
    description: "Approvals of this session are not asked for; what the hard floor blocks stays blocked",
  },
] as const;

export type ModeId = (typeof MODES)[number]["id"];

export const CHOICES = { mode: "mode", model: "model" } as const;

/** @throws {RequestError} */
export function modeOf(id: unknown): ModeId {
  const mode = MODES.find((one) => one.id === id);
  if (mode === undefined)
    throw badRequest(`There is no mode "${String(id)}"; there is ${MODES.map((one) => one.id).join(" and ")}.`);
  return mode.id;
}

export function modesOf({ mode }: SessionSettings): SessionModeState {
  return { currentModeId: mode, availableModes: MODES.map((one) => ({ ...one })) };
}

export function optionsOf({ mode, model, models }: SessionSettings): SessionConfigOption[] {
  const all = [...new Set([model, ...models])];
  return [
    {
      id: CHOICES.mode,
      name: "Approvals",
      category: "mode",
      type: "select",
      currentValue: mode,
      options: MODES.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      id: CHOICES.model,
      name: "Model",
      category: "model",
      type: "select",
      currentValue: model,
      options: all.map((id) => ({ value: id, name: id })),
    },
  ];
}

/** `provider:model`, where the name of a provider of one's own begins with `custom:`. */
export function partsOfModel(id: ModelId): { readonly provider: string; readonly name: string } {
  const [, provider = "", name = id] = /^(custom:[^:/]+(?=:)|[^:]+):(.+)$/s.exec(id) ?? [];
  return { provider, name };
}

/** For editors that choose models by `session/set_model`, which the protocol had before its options. */
export function modelsOf({ model, models }: SessionSettings): {
  readonly currentModelId: string;
  readonly availableModels: readonly { readonly modelId: string; readonly name: string }[];
} {
  return {
    currentModelId: model,
    availableModels: [...new Set([model, ...models])].map((id) => ({ modelId: id, name: id })),
  };
}

import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk/unstable";
import { badRequest } from "./request-failure.ts";

/** The settings of a session that the editor's user can change. */
export interface SessionSettings {
  readonly mode: ModeId;
  readonly model: ModelId;
  /** Models to choose from; filled when their services have listed them. */
  readonly models: readonly ModelId[];
}

/** `provider:model`. */
export type ModelId = string;

const MODES = [
  { id: "default", name: "Ask", description: "Ask before risky actions, according to the settings" },
  {
    id: "yolo",
    name: "Do not ask",
    description: "Skip approvals in this session; hard blocks still apply",
  },
] as const;

export type ModeId = (typeof MODES)[number]["id"];

export const CHOICES = { mode: "mode", model: "model" } as const;

/** @throws {RequestError} */
export function modeOf(id: unknown): ModeId {
  const mode = MODES.find((one) => one.id === id);
  if (mode === undefined)
    throw badRequest(`Unknown mode "${String(id)}". The modes are ${MODES.map((one) => one.id).join(" and ")}.`);
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

/** For editors that select models with `session/set_model`, which the protocol had before config options. */
export function modelsOf({ model, models }: SessionSettings): {
  readonly currentModelId: string;
  readonly availableModels: readonly { readonly modelId: string; readonly name: string }[];
} {
  return {
    currentModelId: model,
    availableModels: [...new Set([model, ...models])].map((id) => ({ modelId: id, name: id })),
  };
}

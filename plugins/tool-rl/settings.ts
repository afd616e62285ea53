import type { Json, PluginContext } from "hermes-agent/plugin";
import type { Ports } from "./locked-fields.ts";

export interface Settings {
  readonly ports: Ports;
  readonly apiWaitMs: number;
  readonly trainerWaitMs: number;
  readonly environmentWaitMs: number;
  readonly statusIntervalMs: number;
  readonly wandbUrl: string;
  /** Empty if not set. */
  readonly wandbEntity: string;
}

export function settingsOf({ setting }: Pick<PluginContext, "setting">): Settings {
  return {
    ports: {
      rollout: numberOf(setting("rl.rollout_port"), 8000),
      inference: numberOf(setting("rl.inference_port"), 8001),
    },
    apiWaitMs: numberOf(setting("rl.api_wait_seconds"), 5) * 1_000,
    trainerWaitMs: numberOf(setting("rl.trainer_wait_seconds"), 120) * 1_000,
    environmentWaitMs: numberOf(setting("rl.environment_wait_seconds"), 10) * 1_000,
    statusIntervalMs: numberOf(setting("rl.status_interval_minutes"), 30) * 60_000,
    wandbUrl: (textOf(setting("rl.wandb_base_url")) || USUAL_WANDB).replace(/\/+$/, ""),
    wandbEntity: textOf(setting("rl.wandb_entity")),
  };
}

export const USUAL_WANDB = "https://api.wandb.ai";

/** Variables for the checkout's programs if Weights & Biases is not at its default address. */
export function wandbVariables({ wandbUrl, wandbEntity }: Settings): readonly (readonly [string, string])[] {
  return [
    ...(wandbUrl === USUAL_WANDB ? [] : [["WANDB_BASE_URL", wandbUrl] as const]),
    ...(wandbEntity === "" ? [] : [["WANDB_ENTITY", wandbEntity] as const]),
  ];
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" && value >= 0 ? value : otherwise;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

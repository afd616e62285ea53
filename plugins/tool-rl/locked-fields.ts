import type { Json, JsonObject } from "hermes-agent/plugin";

export interface Ports {
  readonly rollout: number;
  readonly inference: number;
}

export const MODEL = "Qwen/Qwen3-8B";

/** Fields of an environment that cannot be changed, because they must match the trainer. */
export function lockedFields(ports: Ports): { readonly [field: string]: Json } {
  return {
    tokenizer_name: MODEL,
    rollout_server_url: `http://localhost:${ports.rollout}`,
    use_wandb: true,
    max_token_length: 8192,
    max_num_workers: 2048,
    worker_timeout: 3600,
    total_steps: 2500,
    steps_per_eval: 25,
    max_batches_offpolicy: 3,
    inference_weight: 1.0,
    eval_limit_ratio: 0.1,
  };
}

/** The other sections of a run's configuration file. */
export function lockedSections(ports: Ports): {
  readonly openai: readonly JsonObject[];
  readonly tinker: JsonObject;
  readonly slurm: false;
  readonly testing: false;
} {
  return {
    openai: [
      {
        model_name: MODEL,
        base_url: `http://localhost:${ports.inference}/v1`,
        api_key: "x",
        weight: 1.0,
        num_requests_for_eval: 256,
        timeout: 3600,
        server_type: "sglang",
      },
    ],
    tinker: {
      lora_rank: 32,
      learning_rate: 0.00004,
      max_token_trainer_length: 9000,
      checkpoint_dir: "./temp/",
      save_checkpoint_interval: 25,
    },
    slurm: false,
    testing: false,
  };
}

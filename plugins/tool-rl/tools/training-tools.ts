import { defineTool, type AnyTool, type Assessment, type PluginContext } from "hermes-agent/plugin";
import { chosen, NOTHING, runs, toolFields, WHERE } from "./tool-fields.ts";

const RUN_ID = { type: "object", properties: { run_id: { type: "string" } }, required: ["run_id"] } as const;

/** Tools that start, watch and stop training runs. */
export function trainingTools(ctx: PluginContext): readonly AnyTool[] {
  const shared = toolFields(ctx);
  const measured = {
    effect: "network",
    assess: (): Assessment => ({
      touches: [],
      egress: [],
      untrusted: { source: "Weights & Biases and the logs of a training run" },
    }),
  } as const;
  return [
    defineTool({
      ...shared,
      name: "rl_start_training",
      description:
        "Starts a training run with the selected environment and its configuration. A run takes hours and costs money; only one at a time.",
      input: NOTHING,
      effect: "execute",
      timeoutMs: 60_000,
      async assess(_, call) {
        const selection = await chosen(call, ctx);
        if (selection === undefined) return runs(undefined, undefined); // The call fails with that message.
        const { contentOf } = await import("../selection.ts");
        const { name, file_path } = selection.environment;
        return runs(selection, {
          answer: "ask",
          key: "starts a training run",
          reasons: [
            `Trains a model at Tinker in the environment "${name}" for hours, which costs money. The programs of the checkout get TINKER_API_KEY and WANDB_API_KEY.`,
          ],
          effects: [`run ${file_path} and the trainer with ${JSON.stringify(selection.config).slice(0, 500)}`],
          where: WHERE,
          bound: `${contentOf(file_path)} ${JSON.stringify(selection.config)}`,
        });
      },
      execute: async (_, call) => (await import("../start-training.ts")).startTraining(call, ctx),
    }),
    defineTool({
      ...shared,
      ...measured,
      name: "rl_check_status",
      description:
        "Shows a training run's status, programs, and Weights & Biases metrics: step, reward_mean, percent_correct. At most every 30 minutes.",
      input: RUN_ID,
      timeoutMs: 90_000,
      execute: async ({ run_id }, call) => (await import("../run-reports.ts")).checkStatus(run_id, call, ctx),
    }),
    defineTool({
      ...shared,
      name: "rl_stop_training",
      description: "Stops a training run, for example if its metrics are bad or stagnate, or to try other settings.",
      input: RUN_ID,
      effect: "write",
      idempotent: true,
      timeoutMs: 150_000,
      execute: async ({ run_id }) => (await import("../stop-training.ts")).stopTraining(run_id, ctx),
    }),
    defineTool({
      ...shared,
      ...measured,
      name: "rl_get_results",
      description:
        "Shows a training run's final metrics, part of its history, and the location of the trained weights.",
      input: RUN_ID,
      timeoutMs: 90_000,
      execute: async ({ run_id }, call) => (await import("../run-reports.ts")).results(run_id, call, ctx),
    }),
    defineTool({
      ...shared,
      name: "rl_list_runs",
      description: "Lists all training runs and their status.",
      input: NOTHING,
      effect: "read",
      execute: async () => (await import("../run-reports.ts")).listRuns(ctx),
    }),
  ];
}

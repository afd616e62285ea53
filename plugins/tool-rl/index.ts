import {
  defineTool,
  isOutsideWorkspace,
  type Assessment,
  type Availability,
  type EnvNeed,
  type UntrustedSource,
  type Plugin,
  type Risk,
  type RiskContext,
} from "hermes-agent/plugin";
import type { Selection } from "./selection.ts";

const TINKER: EnvNeed = {
  name: "TINKER_API_KEY",
  description: "API key of Tinker, the training service",
  url: "https://tinker-console.thinkingmachines.ai/keys",
  hosts: [],
};
const WANDB: EnvNeed = {
  name: "WANDB_API_KEY",
  description: "API key of Weights & Biases, which records the metrics of runs",
  url: "https://wandb.ai/authorize",
};
const OPENROUTER: EnvNeed = {
  name: "OPENROUTER_API_KEY",
  description: "OpenRouter API key",
  url: "https://openrouter.ai/keys",
  hosts: ["openrouter.ai"],
};
const RUN_ID = { type: "object", properties: { run_id: { type: "string" } }, required: ["run_id"] } as const;
const NOTHING = { type: "object", properties: {} } as const;
const WHERE = "on this machine, outside of any sandbox";
const MAX_MODELS = 10;

/**
 * Trains models with a checkout of tinker-atropos: environments are its Python files; a run is three programs that
 * outlive the agent.
 */
const register: Plugin = (ctx) => {
  const available = async (probe: {
    env(name: string): string | undefined;
    config: typeof ctx.setting;
  }): Promise<Availability> => {
    if (probe.env("WANDB_API_KEY") === undefined)
      return { ok: false, reason: "WANDB_API_KEY is not set.", needs: ["WANDB_API_KEY"] };
    const { meansOf } = await import("./means.ts");
    const means = meansOf({ home: ctx.home, setting: (path) => probe.config(path) });
    return typeof means === "string" ? { ok: false, reason: means } : { ok: true };
  };
  const shared = {
    toolset: "rl",
    emoji: "🧪",
    env: [TINKER, WANDB],
    needsOneOf: ["env:TINKER_API_KEY"],
    available,
    assess: (): Assessment => ({ touches: [] }),
  } as const;

  /** Names and descriptions come from the authors of the checkout. */
  const checkoutOf = async (call: RiskContext): Promise<UntrustedSource | false> => {
    const { environmentsOf, meansOf } = await import("./means.ts");
    const means = meansOf(ctx);
    return (
      typeof means !== "string" &&
      isOutsideWorkspace(means.checkout, call) && { source: environmentsOf(means.checkout) }
    );
  };
  const readsCheckout = (_: unknown, call: RiskContext): Assessment => ({
    touches: [],
    untrusted: () => checkoutOf(call),
  });
  const chosen = async (call: RiskContext) => (await import("./selection.ts")).findSelection(call.sessionId, ctx);
  /** A call that runs code of the checkout, including its latest changes. */
  const runs = (selection: Selection | undefined, risk: Risk | undefined): Assessment => ({
    touches: [],
    egress: [{ kind: "run", what: selection?.environment.file_path ?? "an environment" }],
    risk,
  });
  const measured = {
    effect: "network",
    assess: (): Assessment => ({
      touches: [],
      egress: [],
      untrusted: { source: "Weights & Biases and the logs of a training run" },
    }),
  } as const;

  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_list_environments",
      description: "Lists the training environments: Python files of tinker-atropos.",
      input: NOTHING,
      effect: "read",
      assess: readsCheckout,
      execute: async (_, call) => (await import("./configure.ts")).reportedEnvironments(call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_select_environment",
      description: "Selects an environment and loads its configuration; rl_get_current_config shows it.",
      input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      effect: "execute",
      timeoutMs: 200_000,
      assess: ({ name }, call) => ({
        ...readsCheckout(undefined, call),
        egress: [{ kind: "run", what: `the environment ${name}` }],
        risk: {
          answer: "ask",
          key: "runs an environment's code",
          reasons: [`Runs the file of the environment "${name}", without any key, to read its configuration.`],
          effects: [`run the environment ${name}`],
          where: WHERE,
        },
      }),
      execute: async ({ name }, call) => (await import("./configure.ts")).selectEnvironment(name, call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_get_current_config",
      description: "Shows the selected environment's configurable and locked fields.",
      input: NOTHING,
      effect: "read",
      assess: readsCheckout,
      execute: async (_, call) => (await import("./configure.ts")).currentConfig(call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_edit_config",
      description:
        "Changes one field of the selected environment's configuration (group_size, batch_size, wandb_project). Trainer settings (tokenizer, addresses, lengths, steps) are locked.",
      input: {
        type: "object",
        properties: { field: { type: "string" }, value: { description: "As JSON" } },
        required: ["field", "value"],
      },
      effect: "write",
      idempotent: true,
      execute: async (input, call) => (await import("./configure.ts")).editConfig(input, call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_start_training",
      description:
        "Starts a training run with the selected environment and its configuration. A run takes hours and costs money; only one at a time.",
      input: NOTHING,
      effect: "execute",
      timeoutMs: 60_000,
      async assess(_, call) {
        const selection = await chosen(call);
        if (selection === undefined) return runs(undefined, undefined); // The call fails with that message.
        const { contentOf } = await import("./selection.ts");
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
      execute: async (_, call) => (await import("./start-training.ts")).startTraining(call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      ...measured,
      name: "rl_check_status",
      description:
        "Shows a training run's status, programs, and Weights & Biases metrics: step, reward_mean, percent_correct. At most every 30 minutes.",
      input: RUN_ID,
      timeoutMs: 90_000,
      execute: async ({ run_id }, call) => (await import("./run-reports.ts")).checkStatus(run_id, call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_stop_training",
      description: "Stops a training run, for example if its metrics are bad or stagnate, or to try other settings.",
      input: RUN_ID,
      effect: "write",
      idempotent: true,
      timeoutMs: 150_000,
      execute: async ({ run_id }) => (await import("./stop-training.ts")).stopTraining(run_id, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      ...measured,
      name: "rl_get_results",
      description:
        "Shows a training run's final metrics, part of its history, and the location of the trained weights.",
      input: RUN_ID,
      timeoutMs: 90_000,
      execute: async ({ run_id }, call) => (await import("./run-reports.ts")).results(run_id, call, ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      name: "rl_list_runs",
      description: "Lists all training runs and their status.",
      input: NOTHING,
      effect: "read",
      execute: async () => (await import("./run-reports.ts")).listRuns(ctx),
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
      env: [TINKER, WANDB, OPENROUTER],
      name: "rl_test_inference",
      description:
        "Tests the selected environment with OpenRouter models before training: loading, prompts, parsing, scoring. Default: 3 steps of 16 completions on three models; costs money.",
      input: {
        type: "object",
        properties: {
          num_steps: { type: "integer", minimum: 1, maximum: 100, default: 3 },
          group_size: { type: "integer", minimum: 1, maximum: 256, default: 16, description: "Completions per step" },
          models: {
            type: "array",
            items: { type: "string" },
            maxItems: MAX_MODELS,
            description: "Default: qwen/qwen3-8b, z-ai/glm-4.7-flash, minimax/minimax-m2.7",
          },
        },
      },
      effect: "execute",
      // Ten minutes for each of the maximum number of models.
      timeoutMs: (MAX_MODELS * 10 + 5) * 60_000,
      async assess(input, call) {
        const untrusted = { source: "OpenRouter models and an environment" };
        const selection = await chosen(call);
        if (selection === undefined) return { ...runs(undefined, undefined), untrusted };
        const [{ sizeOf }, { contentOf }] = await Promise.all([
          import("./test-inference.ts"),
          import("./selection.ts"),
        ]);
        const { models, total } = sizeOf(input);
        const risk: Risk = {
          answer: "ask",
          key: "tests an environment at OpenRouter",
          reasons: [
            `Asks ${models.map(({ id }) => id).join(", ")} at OpenRouter for ${total} completions, which costs money. The environment "${selection.environment.name}" gets OPENROUTER_API_KEY and WANDB_API_KEY.`,
          ],
          effects: [`run ${selection.environment.file_path}`],
          where: WHERE,
          bound: contentOf(selection.environment.file_path),
        };
        return { ...runs(selection, risk), untrusted };
      },
      execute: async (input, call) => (await import("./test-inference.ts")).testInference(input, call, ctx),
    }),
  );
};

export default register;

import { defineTool, type AnyTool, type EnvNeed, type PluginContext, type Risk } from "hermes-agent/plugin";
import { chosen, runs, TINKER, toolFields, WANDB, WHERE } from "./tool-fields.ts";

const OPENROUTER: EnvNeed = {
  name: "OPENROUTER_API_KEY",
  description: "OpenRouter API key",
  url: "https://openrouter.ai/keys",
  hosts: ["openrouter.ai"],
};
const MAX_MODELS = 10;

/** rl_test_inference: try the selected environment with models of OpenRouter before training. */
export function inferenceTool(ctx: PluginContext): AnyTool {
  return defineTool({
    ...toolFields(ctx),
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
      const selection = await chosen(call, ctx);
      if (selection === undefined) return { ...runs(undefined, undefined), untrusted };
      const [{ sizeOf }, { contentOf }] = await Promise.all([
        import("../test-inference.ts"),
        import("../selection.ts"),
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
    execute: async (input, call) => (await import("../test-inference.ts")).testInference(input, call, ctx),
  });
}

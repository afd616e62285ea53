import {
  defineTool,
  isOutsideWorkspace,
  type AnyTool,
  type Assessment,
  type PluginContext,
  type RiskContext,
  type UntrustedSource,
} from "hermes-agent/plugin";
import { NOTHING, toolFields, WHERE } from "./tool-fields.ts";

/** Tools that list, select and configure environments, the Python files of the checkout. */
export function environmentTools(ctx: PluginContext): readonly AnyTool[] {
  const shared = toolFields(ctx);
  /** Names and descriptions come from the authors of the checkout. */
  const checkoutOf = async (call: RiskContext): Promise<UntrustedSource | false> => {
    const { environmentsOf, meansOf } = await import("../means.ts");
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
  return [
    defineTool({
      ...shared,
      name: "rl_list_environments",
      description: "Lists the training environments: Python files of tinker-atropos.",
      input: NOTHING,
      effect: "read",
      assess: readsCheckout,
      execute: async (_, call) => (await import("../configure.ts")).reportedEnvironments(call, ctx),
    }),
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
      execute: async ({ name }, call) => (await import("../configure.ts")).selectEnvironment(name, call, ctx),
    }),
    defineTool({
      ...shared,
      name: "rl_get_current_config",
      description: "Shows the selected environment's configurable and locked fields.",
      input: NOTHING,
      effect: "read",
      assess: readsCheckout,
      execute: async (_, call) => (await import("../configure.ts")).currentConfig(call, ctx),
    }),
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
      execute: async (input, call) => (await import("../configure.ts")).editConfig(input, call, ctx),
    }),
  ];
}

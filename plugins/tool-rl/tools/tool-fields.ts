import type { Assessment, Availability, EnvNeed, PluginContext, Probe, Risk, RiskContext } from "hermes-agent/plugin";
import type { Selection } from "../selection.ts";

export const TINKER: EnvNeed = {
  name: "TINKER_API_KEY",
  description: "API key of Tinker, the training service",
  url: "https://tinker-console.thinkingmachines.ai/keys",
  hosts: [],
};
export const WANDB: EnvNeed = {
  name: "WANDB_API_KEY",
  description: "API key of Weights & Biases, which records the metrics of runs",
  url: "https://wandb.ai/authorize",
};
export const NOTHING = { type: "object", properties: {} } as const;
/** Where the code of a checkout runs, as an approval shows it. */
export const WHERE = "on this machine, outside of any sandbox";

/** What all tools of the plugin declare. */
export function toolFields(ctx: PluginContext) {
  const available = async (probe: Probe): Promise<Availability> => {
    if (probe.env(WANDB.name) === undefined)
      return { ok: false, reason: "WANDB_API_KEY is not set.", needs: ["WANDB_API_KEY"] };
    const { meansOf } = await import("../means.ts");
    const means = meansOf({ home: ctx.home, setting: (path) => probe.config(path) });
    return typeof means === "string" ? { ok: false, reason: means } : { ok: true };
  };
  return {
    toolset: "rl",
    emoji: "🧪",
    env: [TINKER, WANDB],
    needsOneOf: ["env:TINKER_API_KEY"],
    available,
    assess: (): Assessment => ({ touches: [] }),
  } as const;
}

/** The environment that the session selected. */
export async function chosen(call: RiskContext, ctx: PluginContext): Promise<Selection | undefined> {
  return (await import("../selection.ts")).findSelection(call.sessionId, ctx);
}

/** A call that runs code of the checkout, including its latest changes. */
export function runs(selection: Selection | undefined, risk: Risk | undefined): Assessment {
  return {
    touches: [],
    egress: [{ kind: "run", what: selection?.environment.file_path ?? "an environment" }],
    risk,
  };
}

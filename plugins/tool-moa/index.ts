import { defineTool, ToolFailure, type Availability, type Plugin, type Probe } from "hermes-agent/plugin";

const KEY = "OPENROUTER_API_KEY";
/** Default timeouts in seconds of the asked models and of the aggregator, which runs after them. */
const SECONDS = 900;

/** mixture_of_agents: asks several models in parallel and lets one combine their answers. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "mixture_of_agents",
      toolset: "moa",
      emoji: "🧠",
      description:
        "Asks several models the same question and combines their answers. Slow and expensive: use only for hard reasoning problems. The models see only the question.",
      input: {
        type: "object",
        properties: { user_prompt: { type: "string", description: "The complete question for the models" } },
        required: ["user_prompt"],
      },
      env: [
        { name: KEY, description: "OpenRouter API key", url: "https://openrouter.ai/keys", hosts: ["openrouter.ai"] },
      ],
      effect: "network",
      timeoutMs: (call) =>
        1000 *
        (secondsOf(call.config("auxiliary.moa_reference.timeout")) +
          secondsOf(call.config("auxiliary.moa_aggregator.timeout")) +
          60),
      refusal: { success: false, response: "" },
      available: usable,
      // The user configured these models, so sending them the question needs no approval.
      assess: () => ({ egress: [], untrusted: false }),
      async execute({ user_prompt }, call) {
        const [{ mixAnswers }, { presetInUse }] = await Promise.all([
          import("./mix-answers.ts"),
          import("./preset.ts"),
        ]);
        return mixAnswers(
          user_prompt,
          presetInUse((path) => call.config(path)),
          call,
          ctx,
        );
      },
    }),
  );
};

async function usable(probe: Probe): Promise<Availability> {
  const { presetInUse } = await import("./preset.ts");
  try {
    const { references, aggregator } = presetInUse((path) => probe.config(path));
    const ready = ({ provider }: { readonly provider: string | undefined }): boolean =>
      provider?.toLowerCase() !== "openrouter" || probe.env(KEY) !== undefined;
    if (ready(aggregator) && references.some(ready)) return { ok: true };
    return { ok: false, reason: `moa.presets uses OpenRouter models, but ${KEY} is not set.`, needs: [KEY] };
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    return { ok: false, reason: cause.message };
  }
}

function secondsOf(setting: unknown): number {
  return typeof setting === "number" ? setting : SECONDS;
}

export default register;

import type { Plugin } from "hermes-agent/plugin";

/** Provider `offline`, model `rules`: needs no network, no key and no settings. */
const register: Plugin = (ctx) => {
  ctx.provide("model", {
    id: "offline",
    label: "Built-in rules (no language model)",
    keyEnv: [],
    defaultModel: "rules",
    connect: () => ({
      async *stream(request, signal) {
        const { answerByRules } = await import("./answer-by-rules.ts");
        yield* answerByRules(request, signal);
      },
    }),
    listModels: () => Promise.resolve(["rules"]),
  });
};

export default register;

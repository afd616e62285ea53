import type { Json, Plugin } from "hermes-agent/plugin";
import type * as Threshold from "./threshold.ts";

/**
 * The context engine `compressor`, in use unless `context.engine` names another. Its work is loaded when a conversation
 * is long.
 */
const register: Plugin = (ctx) => {
  const number = (value: Json | undefined, otherwise: number): number =>
    typeof value === "number" ? value : otherwise;
  const settings = () => ({
    threshold: number(ctx.config.threshold, 0.5),
    last: number(ctx.config.protect_last_n, 20),
    first: number(ctx.config.protect_first_n, 3),
  });
  let rule: Promise<typeof Threshold> | undefined;
  ctx.register_context_engine({
    name: "compressor",
    display_name: "Built-in compressor",
    asked_from: 0.1,
    async should_compress(_messages, _model, about) {
      const { thresholdTokens } = await (rule ??= import("./threshold.ts"));
      return about.prompt_tokens >= thresholdTokens(about, settings().threshold);
    },
    async compress(messages, _model, about) {
      const { compress } = await import("./compress.ts");
      return compress(messages, about, { ...settings(), ...about.keep });
    },
  });
};

export default register;

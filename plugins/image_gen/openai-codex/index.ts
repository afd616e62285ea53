import type { Plugin } from "hermes-agent/plugin";
import { GPT_IMAGE_MODELS } from "../gpt-image.ts";
import { imageBackend } from "../image-backend.ts";

/** OpenAI's pictures with a ChatGPT account: a model of it calls the tool that makes them. */
const register: Plugin = (ctx) => {
  ctx.register_image_gen_provider(
    imageBackend(
      {
        name: "openai-codex",
        label: "OpenAI (ChatGPT account)",
        tag: "gpt-image-2 in three qualities",
        key: { name: "CODEX_ACCESS_TOKEN", prompt: "Access token of a ChatGPT account", url: "https://chatgpt.com" },
        models: GPT_IMAGE_MODELS,
        async ask(asked) {
          const { askCodex } = await import("./ask-codex.ts");
          return askCodex(asked, (ctx.env("HERMES_CODEX_BASE_URL") || "https://chatgpt.com/backend-api/codex").replace(/\/+$/, ""));
        },
      },
      ctx,
    ),
  );
};

export default register;

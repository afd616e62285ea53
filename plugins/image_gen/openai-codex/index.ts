import { GPT_IMAGE_MODELS } from "../gpt-image.ts";
import { baseOf, imagePlugin } from "../image-backend.ts";

/** OpenAI's images with a ChatGPT account: a model calls the image tool. */
export default imagePlugin((ctx) => ({
  name: "openai-codex",
  label: "OpenAI (ChatGPT account)",
  tag: "gpt-image-2 in three qualities",
  key: { name: "CODEX_ACCESS_TOKEN", prompt: "Access token of a ChatGPT account", url: "https://chatgpt.com" },
  models: GPT_IMAGE_MODELS,
  async ask(asked) {
    const { askCodex } = await import("./ask-codex.ts");
    return askCodex(asked, baseOf(ctx.env("HERMES_CODEX_BASE_URL"), "https://chatgpt.com/backend-api/codex"));
  },
}));

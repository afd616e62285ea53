import { askedBy, baseOf, imagePlugin } from "../image-backend.ts";
import { GPT_IMAGE, GPT_IMAGE_MODELS, GPT_IMAGE_SIZES, qualityOf } from "../gpt-image.ts";

/** OpenAI's own images API. */
export default imagePlugin((ctx) => ({
  name: "openai",
  label: "OpenAI",
  tag: "gpt-image-2 in three qualities",
  key: { name: "OPENAI_API_KEY", prompt: "OpenAI API key", url: "https://platform.openai.com/api-keys" },
  models: GPT_IMAGE_MODELS,
  ask: askedBy({
    configured: "OPENAI_BASE_URL",
    url: () => `${baseOf(ctx.env("OPENAI_BASE_URL"), "https://api.openai.com/v1")}/images/generations`,
    body: ({ prompt, model, aspect_ratio }) => ({
      model: GPT_IMAGE,
      prompt,
      size: GPT_IMAGE_SIZES[aspect_ratio],
      n: 1,
      quality: qualityOf(model),
    }),
    timeoutMs: 240_000,
  }),
}));

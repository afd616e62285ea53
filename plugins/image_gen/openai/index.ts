import type { Plugin } from "hermes-agent/plugin";
import { imageBackend } from "../image-backend.ts";
import { GPT_IMAGE, GPT_IMAGE_MODELS, GPT_IMAGE_SIZES, qualityOf } from "../gpt-image.ts";

const TIMEOUT_MS = 240_000;

/** OpenAI's own images API. */
const register: Plugin = (ctx) => {
  ctx.register_image_gen_provider(
    imageBackend(
      {
        name: "openai",
        label: "OpenAI",
        tag: "gpt-image-2 in three qualities",
        key: { name: "OPENAI_API_KEY", prompt: "Key of OpenAI's API", url: "https://platform.openai.com/api-keys" },
        models: GPT_IMAGE_MODELS,
        async ask(asked) {
          const { firstPicture, post } = await import("../ask-service.ts");
          const base = (ctx.env("OPENAI_BASE_URL") || "https://api.openai.com/v1").replace(/\/+$/, "");
          const { prompt, model, aspect_ratio } = asked;
          return firstPicture(asked, await post(asked, `${base}/images/generations`, { model: GPT_IMAGE, prompt, size: GPT_IMAGE_SIZES[aspect_ratio], n: 1, quality: qualityOf(model) }, TIMEOUT_MS));
        },
      },
      ctx,
    ),
  );
};

export default register;

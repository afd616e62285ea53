import type { Plugin } from "hermes-agent/plugin";
import { imageBackend, type AspectRatio } from "../image-backend.ts";

const TIMEOUT_MS = 120_000;
const RATIOS: { readonly [ratio in AspectRatio]: string } = { landscape: "16:9", square: "1:1", portrait: "9:16" };

/** xAI's images API. */
const register: Plugin = (ctx) => {
  ctx.register_image_gen_provider(
    imageBackend(
      {
        name: "xai",
        label: "xAI",
        tag: "grok-imagine-image",
        key: { name: "XAI_API_KEY", prompt: "Key of xAI's API", url: "https://console.x.ai" },
        models: [
          { id: "grok-imagine-image", display: "Grok Imagine", speed: "~5-10 s", strengths: "Quick" },
          { id: "grok-imagine-image-quality", display: "Grok Imagine (quality)", speed: "~10-20 s", strengths: "More detail" },
        ],
        async ask(asked) {
          const { firstPicture, post } = await import("../ask-service.ts");
          const base = (ctx.env("XAI_BASE_URL") || "https://api.x.ai/v1").replace(/\/+$/, "");
          const resolution = ctx.setting("image_gen.xai.resolution") === "2k" ? "2k" : "1k";
          const { prompt, model, aspect_ratio } = asked;
          return firstPicture(asked, await post(asked, `${base}/images/generations`, { model, prompt, aspect_ratio: RATIOS[aspect_ratio], resolution }, TIMEOUT_MS));
        },
      },
      ctx,
    ),
  );
};

export default register;

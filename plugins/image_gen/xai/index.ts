import { askedBy, baseOf, imagePlugin, type AspectRatio } from "../image-backend.ts";

const RATIOS: { readonly [ratio in AspectRatio]: string } = { landscape: "16:9", square: "1:1", portrait: "9:16" };

/** xAI's images API. */
export default imagePlugin((ctx) => ({
  name: "xai",
  label: "xAI",
  tag: "grok-imagine-image",
  key: { name: "XAI_API_KEY", prompt: "xAI API key", url: "https://console.x.ai" },
  models: [
    { id: "grok-imagine-image", display: "Grok Imagine", speed: "~5-10 s", strengths: "Quick" },
    {
      id: "grok-imagine-image-quality",
      display: "Grok Imagine (quality)",
      speed: "~10-20 s",
      strengths: "More details",
    },
  ],
  ask: askedBy({
    configured: "XAI_BASE_URL",
    url: () => `${baseOf(ctx.env("XAI_BASE_URL"), "https://api.x.ai/v1")}/images/generations`,
    body: ({ prompt, model, aspect_ratio }) => ({
      model,
      prompt,
      aspect_ratio: RATIOS[aspect_ratio],
      resolution: ctx.setting("image_gen.xai.resolution") === "2k" ? "2k" : "1k",
    }),
    timeoutMs: 120_000,
  }),
}));

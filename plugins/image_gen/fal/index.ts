import { askedBy, baseOf, imagePlugin } from "../image-backend.ts";
import { FAL_MODELS } from "./models.ts";

/** FAL, which serves models of many makers. */
export default imagePlugin((ctx) => ({
  name: "fal",
  label: "FAL",
  tag: "nine models, FLUX 2 Klein first",
  key: { name: "FAL_KEY", prompt: "FAL API key", url: "https://fal.ai/dashboard/keys" },
  models: FAL_MODELS.map(({ id, display, speed, strengths }) => ({ id, display, speed, strengths })),
  ask: askedBy({
    url: ({ model }) => `${baseOf(ctx.setting("image_gen.fal.base_url"), "https://fal.run")}/${model}`,
    body({ prompt, model, aspect_ratio }) {
      const { sizes, more = {} } = FAL_MODELS.find(({ id }) => id === model)!;
      return { prompt, ...sizes[aspect_ratio], ...more };
    },
    timeoutMs: 240_000,
    scheme: "Key",
  }),
}));

import type { Plugin } from "hermes-agent/plugin";
import { imageBackend } from "../image-backend.ts";
import { FAL_MODELS } from "./models.ts";

const TIMEOUT_MS = 240_000;

/** FAL, which serves models of many makers. */
const register: Plugin = (ctx) => {
  ctx.register_image_gen_provider(
    imageBackend(
      {
        name: "fal",
        label: "FAL",
        tag: "nine models, FLUX 2 Klein first",
        key: { name: "FAL_KEY", prompt: "Key of FAL", url: "https://fal.ai/dashboard/keys" },
        models: FAL_MODELS.map(({ id, display, speed, strengths }) => ({ id, display, speed, strengths })),
        async ask(asked) {
          const { firstPicture, post } = await import("../ask-service.ts");
          const base = String(ctx.setting("image_gen.fal.base_url") || "https://fal.run").replace(/\/+$/, "");
          const { prompt, model, aspect_ratio } = asked;
          const { sizes, more = {} } = FAL_MODELS.find(({ id }) => id === model)!;
          return firstPicture(asked, await post(asked, `${base}/${model}`, { prompt, ...sizes[aspect_ratio], ...more }, TIMEOUT_MS, { scheme: "Key" }));
        },
      },
      ctx,
    ),
  );
};

export default register;

import type { JsonObject } from "hermes-agent/plugin";
import type { AspectRatio, ImageService } from "../image-backend.ts";

type Sizes = { readonly [ratio in AspectRatio]: JsonObject };

const PRESET: Sizes = {
  landscape: { image_size: "landscape_16_9" },
  square: { image_size: "square_hd" },
  portrait: { image_size: "portrait_16_9" },
};
const FOUR_TO_THREE: Sizes = {
  landscape: { image_size: "landscape_4_3" },
  square: { image_size: "square_hd" },
  portrait: { image_size: "portrait_4_3" },
};
const RATIO: Sizes = {
  landscape: { aspect_ratio: "16:9" },
  square: { aspect_ratio: "1:1" },
  portrait: { aspect_ratio: "9:16" },
};
const PIXELS: Sizes = {
  landscape: { image_size: "1536x1024" },
  square: { image_size: "1024x1024" },
  portrait: { image_size: "1024x1536" },
};

/** The models, by their path at the service. Each has its own names for aspect ratios. */
export const FAL_MODELS: readonly (ImageService["models"][number] & {
  readonly sizes: Sizes;
  readonly more?: JsonObject;
})[] = [
  {
    id: "fal-ai/flux-2/klein/9b",
    display: "FLUX 2 Klein",
    speed: "<1 s",
    strengths: "Quick; crisp text",
    sizes: PRESET,
  },
  { id: "fal-ai/flux-2-pro", display: "FLUX 2 Pro", speed: "~6 s", strengths: "Photorealistic", sizes: PRESET },
  {
    id: "fal-ai/gpt-image-1.5",
    display: "GPT Image 1.5",
    speed: "~15 s",
    strengths: "Follows the prompt closely",
    sizes: PIXELS,
    more: { quality: "medium" },
  },
  {
    id: "fal-ai/gpt-image-2",
    display: "GPT Image 2",
    speed: "~20 s",
    strengths: "Follows the prompt best; text",
    sizes: FOUR_TO_THREE,
    more: { quality: "medium" },
  },
  {
    id: "fal-ai/nano-banana-pro",
    display: "Nano Banana Pro",
    speed: "~8 s",
    strengths: "Reasons about the scene",
    sizes: RATIO,
  },
  { id: "fal-ai/ideogram/v3", display: "Ideogram V3", speed: "~5 s", strengths: "Lettering", sizes: PRESET },
  {
    id: "fal-ai/recraft/v4/pro/text-to-image",
    display: "Recraft V4 Pro",
    speed: "~8 s",
    strengths: "Design and branding",
    sizes: PRESET,
  },
  {
    id: "fal-ai/qwen-image",
    display: "Qwen Image",
    speed: "~12 s",
    strengths: "Long texts, including Chinese",
    sizes: PRESET,
  },
  { id: "fal-ai/z-image/turbo", display: "Z-Image Turbo", speed: "~2 s", strengths: "Quick and cheap", sizes: PRESET },
];

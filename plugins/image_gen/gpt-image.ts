import type { AspectRatio, ImageService } from "./image-backend.ts";

/** The service's model name; the selectable models are its quality levels. */
export const GPT_IMAGE = "gpt-image-2";

export const GPT_IMAGE_MODELS: ImageService["models"] = [
  { id: "gpt-image-2-medium", display: "GPT Image 2 (medium)", speed: "~40 s", strengths: "Balanced" },
  { id: "gpt-image-2-low", display: "GPT Image 2 (low)", speed: "~15 s", strengths: "Quick and cheap" },
  { id: "gpt-image-2-high", display: "GPT Image 2 (high)", speed: "~2 min", strengths: "Follows the prompt best" },
];

export const GPT_IMAGE_SIZES: { readonly [ratio in AspectRatio]: string } = {
  landscape: "1536x1024",
  square: "1024x1024",
  portrait: "1024x1536",
};

/** `gpt-image-2-high` is the quality `high`. */
export function qualityOf(model: string): string {
  return model.slice(GPT_IMAGE.length + 1);
}

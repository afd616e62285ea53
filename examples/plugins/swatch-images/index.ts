import { imageFailed, imageMade, type ImageGenProvider, type Plugin } from "hermes-agent/plugin";
import { swatch } from "./swatch.ts";

const COLOURS: { readonly [name: string]: readonly [number, number, number] } = {
  red: [220, 40, 40],
  green: [40, 160, 70],
  blue: [40, 80, 210],
  black: [0, 0, 0],
  white: [255, 255, 255],
};
const SIZES = { landscape: [48, 32], square: [32, 32], portrait: [32, 48] } as const;

/** An image of the colour that the prompt names. */
export const swatches: ImageGenProvider = {
  name: "swatches",
  display_name: "Colour swatches",
  is_available: () => true,
  list_models: () => [{ id: "swatch-1", display: "One colour" }],
  get_setup_schema: () => ({ name: "Colour swatches", badge: "local", tag: "free", env_vars: [] }),
  generate(prompt, { aspect_ratio }) {
    const name = Object.keys(COLOURS).find((colour) => prompt.toLowerCase().includes(colour));
    if (name === undefined)
      return imageFailed({
        error: `Name one of: ${Object.keys(COLOURS).join(", ")}.`,
        error_type: "bad_prompt",
        provider: "swatches",
      });
    const [width, height] = SIZES[aspect_ratio];
    return imageMade({
      b64: swatch(width, height, COLOURS[name]!),
      model: "swatch-1",
      prompt,
      aspect_ratio,
      provider: "swatches",
    });
  },
};

const register: Plugin = (ctx) => {
  ctx.register_image_gen_provider(swatches);
};

export default register;

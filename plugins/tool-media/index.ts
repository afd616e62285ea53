import {
  definedFields,
  defineTool,
  picturePlace,
  type JsonObject,
  type Part,
  type Plugin,
  type Egress,
} from "hermes-agent/plugin";
import type { GivenPictures } from "./given-pictures.ts";

/** The tools for the slots `image_gen` and `video_gen`; each needs a plugin that provides a backend. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "image_generate",
      title: "Draw {prompt}",
      toolset: "image_gen",
      emoji: "🎨",
      description:
        "Creates a picture from a description, or from pictures and a description of what to change. Returns its file or URL; show that to the user.",
      slots: ["image_gen"],
      input: {
        type: "object",
        properties: {
          prompt: { type: "string", description: "What it shows" },
          aspect_ratio: { type: "string", enum: ["landscape", "square", "portrait"] },
          image_url: { type: "string", description: "Source picture: URL or path" },
          reference_image_urls: { type: "array", items: { type: "string" } },
        },
        required: ["prompt"],
      },
      effect: "network",
      refusal: { success: false, image: null },
      // The result is a file name and our own text; `toModel` marks text of the service as untrusted.
      assess: (input) => ({ egress: reachOf("image", input), untrusted: false }),
      toModel: (made) => signed(made, ctx.id, "image_generate"),
      async execute({ prompt, aspect_ratio = "landscape", ...given }, call) {
        const [{ makeMedia }, { givenPictures }] = [
          await import("./make-media.ts"),
          await import("./given-pictures.ts"),
        ];
        const provider = await call.use("image_gen");
        const options = {
          aspect_ratio,
          ...(await givenPictures(given, provider, call)),
          ...modelOf(call.config("image_gen.model")),
        };
        return makeMedia("image", provider, async () => provider.generate(prompt, options), call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      name: "video_generate",
      title: "Film {prompt}",
      toolset: "video_gen",
      emoji: "🎬",
      description:
        "Creates a short video from a description, or from a picture and a description. Returns its file or URL; show that to the user.",
      slots: ["video_gen"],
      input: {
        type: "object",
        properties: {
          prompt: { type: "string", description: "What it shows and what happens" },
          image_url: { type: "string", description: "Source picture: URL or path" },
          reference_image_urls: { type: "array", items: { type: "string" } },
          duration: { type: "integer", description: "Seconds" },
          aspect_ratio: { type: "string", enum: ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3"] },
          resolution: { type: "string", enum: ["480p", "540p", "720p", "1080p"] },
          negative_prompt: { type: "string" },
          audio: { type: "boolean" },
          seed: { type: "integer" },
          model: { type: "string" },
        },
        required: ["prompt"],
      },
      effect: "network",
      refusal: { success: false, video: null },
      timeoutMs: 900_000,
      assess: (input) => ({ egress: reachOf("video", input), untrusted: false }),
      toModel: (made) => signed(made, ctx.id, "video_generate"),
      async execute({ prompt, image_url, reference_image_urls, ...more }, call) {
        const [{ makeMedia }, { givenPictures }] = [
          await import("./make-media.ts"),
          await import("./given-pictures.ts"),
        ];
        const provider = await call.use("video_gen");
        const pictures = await givenPictures(
          definedFields({
            image_url,
            reference_image_urls,
          }),
          provider,
          call,
        );
        const options = { ...more, ...pictures };
        const given = Object.fromEntries(
          Object.entries({
            aspect_ratio: "16:9",
            resolution: "720p",
            ...modelOf(call.config("video_gen.model")),
            ...options,
          }).filter(([, value]) => value !== undefined),
        );
        return makeMedia("video", provider, async () => provider.generate(prompt, given), call);
      },
    }),
  );
};

/** The prompt and the pictures go to the backend's service; a URL is fetched first. */
function reachOf(
  kind: "image" | "video",
  { prompt, image_url, reference_image_urls = [] }: GivenPictures & { readonly prompt: string },
): readonly Egress[] {
  const places = [...(image_url === undefined ? [] : [image_url]), ...reference_image_urls];
  return [
    { kind: "send", what: `the ${kind} backend: "${prompt.slice(0, 200)}"` },
    ...places.map((place) => reachOfPicture(kind, place)),
  ];
}

function reachOfPicture(kind: "image" | "video", given: string): Egress {
  const place = given.trim() === "" ? undefined : picturePlace(given);
  if (place?.kind === "address") return { kind: "fetch", what: place.url };
  return {
    kind: "send",
    what: `the ${kind} backend: ${place?.kind === "file" ? `the picture ${place.path}` : "a picture that came with the call"}`,
  };
}

/** Result fields that the backend itself sets; others, such as a rewritten prompt, may come from its service. */
const OURS = new Set([
  "success",
  "image",
  "video",
  "provider",
  "model",
  "prompt",
  "aspect_ratio",
  "resolution",
  "duration",
  "modality",
]);

function signed(made: JsonObject, owner: string, tool: string): string | readonly Part[] {
  // Only strings can contain untrusted text.
  const isOurs = ([key, value]: readonly [string, unknown]): boolean =>
    OURS.has(key) || typeof value === "number" || typeof value === "boolean" || value === null;
  const [ours, theirs] = [true, false].map((own) =>
    Object.fromEntries(Object.entries(made).filter((one) => isOurs(one) === own)),
  );
  if (Object.keys(theirs!).length === 0) return JSON.stringify(made);
  return [
    { type: "text", text: JSON.stringify(ours) },
    {
      type: "text",
      text: JSON.stringify(theirs),
      from: { trust: "foreign", owner, tool, source: "the media service" },
    },
  ];
}

/** The backend's default unless the user configured one. */
function modelOf(setting: unknown): { readonly model?: string } {
  return typeof setting === "string" && setting !== "" ? { model: setting } : {};
}

export default register;

import {
  definedFields,
  defineTool,
  picturePlace,
  type JsonObject,
  type Part,
  type Plugin,
  type Reach,
} from "hermes-agent/plugin";
import type { GivenPictures } from "./given-pictures.ts";

/** The tools over the slots `image_gen` and `video_gen`; each is offered only where a plugin provides its backend. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "image_generate",
      toolset: "image_gen",
      emoji: "🎨",
      description:
        "Makes a picture from a description, or from pictures and a description of what to change. Answers with its file or address; show the person that.",
      slots: ["image_gen"],
      input: {
        type: "object",
        properties: {
          prompt: { type: "string", description: "What is to be seen" },
          aspect_ratio: { type: "string", enum: ["landscape", "square", "portrait"] },
          image_url: { type: "string", description: "Picture to begin from: address or path" },
          reference_image_urls: { type: "array", items: { type: "string" } },
        },
        required: ["prompt"],
      },
      effect: "network",
      refusal: { success: false, image: null },
      // What comes back is a file's name; the words in it are ours, but for those that toModel signs.
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
      toolset: "video_gen",
      emoji: "🎬",
      description:
        "Makes a short film from a description, or from a picture and a description. Answers with its file or address; show the person that.",
      slots: ["video_gen"],
      input: {
        type: "object",
        properties: {
          prompt: { type: "string", description: "What is to be seen and what happens" },
          image_url: { type: "string", description: "Picture to begin from: address or path" },
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

/** The words go to whoever makes it, and so do the pictures; an address is asked for first. */
function reachOf(
  kind: "image" | "video",
  { prompt, image_url, reference_image_urls = [] }: GivenPictures & { readonly prompt: string },
): readonly Reach[] {
  const places = [...(image_url === undefined ? [] : [image_url]), ...reference_image_urls];
  return [
    { kind: "send", what: `the ${kind} backend: "${prompt.slice(0, 200)}"` },
    ...places.map((place) => reachOfPicture(kind, place)),
  ];
}

function reachOfPicture(kind: "image" | "video", given: string): Reach {
  const place = given.trim() === "" ? undefined : picturePlace(given);
  if (place?.kind === "address") return { kind: "fetch", what: place.url };
  return {
    kind: "send",
    what: `the ${kind} backend: ${place?.kind === "file" ? `the picture ${place.path}` : "a picture that came with the call"}`,
  };
}

/** What a backend answers of itself; anything else, the prompt in other words for one, may be its service's. */
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
  // What is no text holds no words.
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
      from: { trust: "foreign", owner, tool, source: "the service that made it" },
    },
  ];
}

/** The backend's own choice, unless a person made one. */
function modelOf(setting: unknown): { readonly model?: string } {
  return typeof setting === "string" && setting !== "" ? { model: setting } : {};
}

export default register;

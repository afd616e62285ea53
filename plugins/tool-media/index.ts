import { defineTool, type Plugin } from "hermes-agent/plugin";

/** The tools over the slots `image_gen` and `video_gen`; each is offered only where a plugin provides its backend. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "image_generate",
      toolset: "image_gen",
      emoji: "🎨",
      description: "Makes a picture from a description, or from pictures and a description of what to change. Answers with its file or address; show the person that.",
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
      // What comes back is a file's name; the words in it are ours.
      provenance: () => undefined,
      async execute({ prompt, aspect_ratio = "landscape", image_url, reference_image_urls }, call) {
        const { makeMedia } = await import("./make-media.ts");
        const provider = await call.use("image_gen");
        const options = { aspect_ratio, ...(image_url === undefined ? {} : { image_url }), ...(reference_image_urls === undefined ? {} : { reference_image_urls }), ...modelOf(call.config("image_gen.model")) };
        return makeMedia("image", provider, async () => provider.generate(prompt, options), call);
      },
    }),
  );
  ctx.tool(
    defineTool({
      name: "video_generate",
      toolset: "video_gen",
      emoji: "🎬",
      description: "Makes a short film from a description, or from a picture and a description. Answers with its file or address; show the person that.",
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
        },
        required: ["prompt"],
      },
      effect: "network",
      timeoutMs: 900_000,
      provenance: () => undefined,
      async execute({ prompt, ...options }, call) {
        const { makeMedia } = await import("./make-media.ts");
        const provider = await call.use("video_gen");
        const given = Object.fromEntries(Object.entries({ aspect_ratio: "16:9", resolution: "720p", ...modelOf(call.config("video_gen.model")), ...options }).filter(([, value]) => value !== undefined));
        return makeMedia("video", provider, async () => provider.generate(prompt, given), call);
      },
    }),
  );
};

/** The backend's own choice, unless a person made one. */
function modelOf(setting: unknown): { readonly model?: string } {
  return typeof setting === "string" && setting !== "" ? { model: setting } : {};
}

export default register;

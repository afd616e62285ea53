import { absolutePath, defineTool, hostOf, isOutsideWorkspace, picturePlace, type Plugin } from "hermes-agent/plugin";

/** The picture's location, or `undefined` if the call will be refused. */
const placeOf = (given: string): ReturnType<typeof picturePlace> | undefined => {
  try {
    return picturePlace(given);
  } catch {
    return undefined; // The call will fail with the reason.
  }
};

const seconds = (setting: unknown, otherwise: number): number => (typeof setting === "number" ? setting : otherwise);

/** vision_analyze: sends a picture to a vision model and returns the answer. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "vision_analyze",
      title: "Look at {image_url}",
      toolset: "vision",
      emoji: "👁️",
      description: "Answers a question about a picture.",
      input: {
        type: "object",
        properties: { image_url: { type: "string", description: "URL or path" }, question: { type: "string" } },
        required: ["image_url", "question"],
      },
      timeoutMs: (call) =>
        1000 *
        (seconds(call.config("auxiliary.vision.timeout"), 120) +
          seconds(call.config("auxiliary.vision.download_timeout"), 30) +
          10),
      refusal: { success: false, analysis: "" },
      assess({ image_url }, call) {
        const place = placeOf(image_url);
        if (place?.kind === "address")
          return {
            effect: "network",
            untrusted: { source: place.url.slice(0, 500), host: hostOf(place.url) },
            egress: [{ kind: "fetch", what: place.url }],
          };
        const read = { effect: "read", egress: [] } as const;
        if (place === undefined) return { ...read, untrusted: false };
        if (place.kind === "data") return { ...read, untrusted: { source: "a picture that came with the call" } };
        const path = absolutePath(place.path, call.cwd, call.home);
        return { ...read, untrusted: isOutsideWorkspace(path, call) && { source: path } };
      },
      async execute({ image_url, question }, call) {
        const { analyzePicture } = await import("./analyze-picture.ts");
        return analyzePicture(image_url, question, call, ctx);
      },
    }),
  );
};

export default register;

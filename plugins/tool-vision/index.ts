import { absolutePath, defineTool, hostOf, isOutsideWorkspace, picturePlace, type Plugin } from "hermes-agent/plugin";

/** What is named, or nothing where the call will be refused for it. */
const placeOf = (given: string): ReturnType<typeof picturePlace> | undefined => {
  try {
    return picturePlace(given);
  } catch {
    return undefined; // The call itself says why.
  }
};

const seconds = (setting: unknown, otherwise: number): number => (typeof setting === "number" ? setting : otherwise);

/** vision_analyze: a picture goes to a model that sees, its answer comes back. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "vision_analyze",
      toolset: "vision",
      emoji: "👁️",
      description: "Answers a question about a picture.",
      input: {
        type: "object",
        properties: { image_url: { type: "string", description: "Address or path" }, question: { type: "string" } },
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

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
      effect: ({ image_url }) => (placeOf(image_url)?.kind === "address" ? "network" : "read"),
      timeoutMs: (call) =>
        1000 *
        (seconds(call.config("auxiliary.vision.timeout"), 120) +
          seconds(call.config("auxiliary.vision.download_timeout"), 30) +
          10),
      refusal: { success: false, analysis: "" },
      provenance({ image_url }, call) {
        const place = placeOf(image_url);
        if (place?.kind === "address")
          return {
            source: place.url.slice(0, 500),
            host: hostOf(place.url) === undefined ? undefined : hostOf(place.url)!,
          };
        if (place?.kind === "data") return { source: "a picture that came with the call" };
        if (place === undefined) return undefined;
        const path = absolutePath(place.path, call.cwd, call.home);
        return isOutsideWorkspace(path, call) ? { source: path } : undefined;
      },
      reach({ image_url }) {
        const place = placeOf(image_url);
        return place?.kind === "address" ? [{ kind: "fetch", what: place.url }] : [];
      },
      async execute({ image_url, question }, call) {
        const { analyzePicture } = await import("./analyze-picture.ts");
        return analyzePicture(image_url, question, call, ctx);
      },
    }),
  );
};

export default register;

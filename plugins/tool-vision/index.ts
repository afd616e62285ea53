import { absolutePath, defineTool, hostOf, isOutsideWorkspace, type Plugin } from "hermes-agent/plugin";

const isAddress = (place: string): boolean => /^https?:\/\//i.test(place);

const seconds = (setting: unknown, otherwise: number): number => (typeof setting === "number" ? setting : otherwise);

/** vision_analyze: a picture goes to a model that sees, its answer comes back. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "vision_analyze",
      toolset: "vision",
      emoji: "👁️",
      description: "Answers a question about a picture.",
      input: { type: "object", properties: { image_url: { type: "string", description: "Address or path" }, question: { type: "string" } }, required: ["image_url", "question"] },
      effect: ({ image_url }) => (isAddress(image_url) ? "network" : "read"),
      timeoutMs: (call) => 1000 * (seconds(call.config("auxiliary.vision.timeout"), 120) + seconds(call.config("auxiliary.vision.download_timeout"), 30) + 10),
      refusal: { success: false, analysis: "" },
      provenance({ image_url }, call) {
        if (isAddress(image_url)) return { source: image_url.slice(0, 500), ...(hostOf(image_url) === undefined ? {} : { host: hostOf(image_url)! }) };
        if (image_url.startsWith("data:")) return { source: "a picture that came with the call" };
        const path = absolutePath(image_url, call.cwd, call.home);
        return isOutsideWorkspace(path, call) ? { source: path } : undefined;
      },
      reach: ({ image_url }) => (isAddress(image_url) ? [{ kind: "fetch", what: image_url }] : []),
      async execute({ image_url, question }, call) {
        const { analyzePicture } = await import("./analyze-picture.ts");
        return analyzePicture(image_url, question, call, ctx);
      },
    }),
  );
};

export default register;

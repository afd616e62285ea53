import { defineTool, type AnyTool, type PluginContext } from "hermes-agent/plugin";
import { COMMON, type ToolPorts } from "./tool-ports.ts";

/** Tools that examine a page: its images, how it looks, and its console. */
export function inspectionTools({ load, words, sends }: ToolPorts, ctx: PluginContext): readonly AnyTool[] {
  return [
    defineTool({
      ...COMMON,
      name: "browser_get_images",
      description: "List the page's images.",
      input: { type: "object", properties: {} },
      effect: "read",
      assess: (_, call) => ({ untrusted: words(call) }),
      async execute(_, call) {
        const { images } = await import("./look.ts");
        return images(await load(), call);
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_vision",
      description: "Answer a question about how the page looks.",
      input: {
        type: "object",
        properties: {
          question: { type: "string" },
          annotate: { type: "boolean", description: "Label elements with their refs" },
        },
        required: ["question"],
      },
      effect: "read",
      timeoutMs: 240_000,
      assess: (_, call) => ({ untrusted: words(call) }),
      async execute({ question, annotate }, call) {
        const { look } = await import("./vision.ts");
        return look(await load(), ctx, question, annotate === true, call);
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_console",
      description: "Read the page's console messages and errors, or evaluate an expression in it.",
      input: { type: "object", properties: { clear: { type: "boolean" }, expression: { type: "string" } } },
      assess: ({ expression }, call) => ({
        effect: expression === undefined ? "read" : "network",
        untrusted: words(call),
        egress: expression === undefined ? [] : sends(expression, call),
      }),
      async execute({ clear, expression }, call) {
        const { evaluate, printed } = await import("./look.ts");
        return expression === undefined
          ? printed(await load(), clear === true, call)
          : evaluate(await load(), expression, call);
      },
    }),
  ];
}

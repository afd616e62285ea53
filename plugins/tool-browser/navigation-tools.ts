import { defineTool, hostOf, type AnyTool } from "hermes-agent/plugin";
import { COMMON, type ToolPorts } from "./tool-ports.ts";

/** browser_navigate and browser_snapshot: open a page and show what can be used on it. */
export function navigationTools({ load, words }: ToolPorts): readonly AnyTool[] {
  return [
    defineTool({
      ...COMMON,
      name: "browser_navigate",
      title: "Open {url}",
      description:
        "Open a page in a browser and return a snapshot of its interactive elements. Cheaper for reading alone: %tools%.",
      mentions: ["web_search", "web_extract"],
      input: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
      effect: "network",
      timeoutMs: 180_000,
      assess: ({ url }) => ({
        untrusted: { source: url.slice(0, 500), host: hostOf(url) },
        egress: [{ kind: "fetch", what: url }],
      }),
      async execute({ url }, call) {
        const { navigate } = await import("./navigate.ts");
        return navigate(await load(), url, call);
      },
    }),
    defineTool({
      ...COMMON,
      name: "browser_snapshot",
      title: "Read the page",
      description: "Take a snapshot of the page.",
      input: { type: "object", properties: { full: { type: "boolean", description: "Include all text" } } },
      effect: "read",
      assess: (_, call) => ({ untrusted: words(call) }),
      async execute({ full }, call) {
        const { snapshot } = await import("./navigate.ts");
        return snapshot(await load(), full === true, call);
      },
    }),
  ];
}

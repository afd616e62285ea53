/** A stdio server made with the protocol's own package. */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const server = new McpServer({ name: "good", version: "1.0.0" });
const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] });

server.registerTool(
  "echo",
  {
    description: "Says it again.",
    inputSchema: fromJsonSchema({ type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
  },
  ((args: { readonly text: string }) => text(args.text)) as never,
);
server.registerTool("environment", { description: "Names of its variables." }, (() =>
  text(Object.keys(process.env).sort().join(" "))) as never);
await server.connect(new StdioServerTransport());

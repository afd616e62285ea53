import { defineTool, TOOL_BRIDGE, ToolFailure, type Plugin, type ToolContext } from "hermes-agent/plugin";

/**
 * tool_search, tool_describe, tool_call: replace deferred tools, whose definitions would make every request too long.
 */
const register: Plugin = (ctx) => {
  const common = { toolset: "tool_search", emoji: "🧰", effect: "none" } as const;
  ctx.tool(
    defineTool({
      ...common,
      name: TOOL_BRIDGE.search,
      description: "Finds more tools by keywords.",
      input: {
        type: "object",
        properties: { query: { type: "string" }, limit: { type: "integer" } },
        required: ["query"],
      },
      async execute({ query, limit }, call) {
        const { searchTools } = await import("./search-tools.ts");
        const most = setting(call, "max_search_limit", 20);
        const wanted = typeof limit === "number" && limit > 0 ? limit : setting(call, "search_default_limit", 5);
        return searchTools(await call.held(), query, Math.min(wanted, most));
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: TOOL_BRIDGE.describe,
      description: "Shows a tool's parameters; use before tool_call.",
      input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      async execute({ name }, call) {
        const found = (await call.held()).find((tool) => tool.name === name);
        if (found !== undefined)
          return { name: found.name, description: found.description, parameters: found.parameters };
        if ((await call.offered()).has(name))
          throw new ToolFailure("bad_arguments", `"${name}" is already in your tool list, with its parameters.`);
        throw new ToolFailure("unknown_tool", `Unknown tool "${name}".`, {
          hint: `${TOOL_BRIDGE.search} finds tools by keywords.`,
        });
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: TOOL_BRIDGE.call,
      description: "Calls a found tool.",
      input: {
        type: "object",
        properties: { name: { type: "string" }, arguments: { type: "object" } },
        required: ["name", "arguments"],
      },
      // Dispatch turns a valid tool_call into a call of the named tool, so only invalid ones arrive here.
      async execute() {
        throw new ToolFailure(
          "bad_arguments",
          `Nothing was called: "name" must be a tool that ${TOOL_BRIDGE.search} finds, and "arguments" must be an object.`,
        );
      },
    }),
  );
};

function setting({ config }: ToolContext, key: string, otherwise: number): number {
  const value = config(`tools.tool_search.${key}`);
  return typeof value === "number" && value >= 1 ? Math.min(value, 50) : otherwise;
}

export default register;

import { defineTool, TOOL_BRIDGE, ToolFailure, type Plugin, type ToolContext } from "hermes-agent/plugin";

/** tool_search, tool_describe, tool_call: offered in the place of tools that would make every request too long. */
const register: Plugin = (ctx) => {
  const common = { toolset: "tool_search", emoji: "🧰", effect: "none" } as const;
  ctx.tool(
    defineTool({
      ...common,
      name: TOOL_BRIDGE.search,
      description: "Finds more tools by words.",
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
      description: "Reads one before tool_call.",
      input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      async execute({ name }, call) {
        const found = (await call.held()).find((tool) => tool.name === name);
        if (found !== undefined)
          return { name: found.name, description: found.description, parameters: found.parameters };
        if ((await call.offered()).has(name))
          throw new ToolFailure("bad_arguments", `"${name}" is among your own tools; its parameters are there.`);
        throw new ToolFailure("unknown_tool", `There is no tool "${name}" here.`, {
          hint: `${TOOL_BRIDGE.search} finds tools by words.`,
        });
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: TOOL_BRIDGE.call,
      description: "Calls one.",
      input: {
        type: "object",
        properties: { name: { type: "string" }, arguments: { type: "object" } },
        required: ["name", "arguments"],
      },
      // Dispatch makes a call that names a tool a call of that tool; here are those that do not.
      async execute() {
        throw new ToolFailure(
          "bad_arguments",
          `Nothing was called: "name" must be that of a tool that ${TOOL_BRIDGE.search} finds, and "arguments" an object.`,
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

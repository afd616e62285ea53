import { defineTool, type Plugin } from "hermes-agent/plugin";

/** delegate_task: pieces of work for subagents. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "delegate_task",
      toolset: "delegation",
      emoji: "🔀",
      description:
        "Runs a task, or several `tasks` at once, in subagents with tools and a shell of their own, and returns their summaries. A subagent knows nothing of this conversation.",
      input: {
        type: "object",
        properties: {
          goal: { type: "string" },
          context: { type: "string", description: "All it needs to know: paths, findings, limits" },
          toolsets: { type: "array", items: { type: "string" }, description: "Default: yours" },
          tasks: {
            type: "array",
            items: {
              type: "object",
              properties: { goal: { type: "string" }, context: { type: "string" }, role: { type: "string" } },
              required: ["goal"],
            },
          },
          role: { enum: ["leaf", "orchestrator"], description: "An orchestrator may delegate too" },
        },
      },
      effect: "execute",
      // Its own calls are judged one by one, under all that is known of this session.
      parallel: true,
      assess: () => ({ egress: [] }),
      timeoutMs: 86_400_000,
      async execute(input, call) {
        const { delegate } = await import("./delegate.ts");
        return delegate(input, call, (text) => ctx.redact(text));
      },
    }),
  );
};

export default register;

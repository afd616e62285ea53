import { defineTool, type Plugin } from "hermes-agent/plugin";

/** delegate_task: runs tasks in subagents. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "delegate_task",
      title: "Delegate[ {goal}][ {tasks}]",
      toolset: "delegation",
      emoji: "🔀",
      description:
        "Runs a task, or several `tasks` in parallel, in subagents with their own tools and shell, and returns their summaries. A subagent knows nothing of this conversation.",
      input: {
        type: "object",
        properties: {
          goal: { type: "string" },
          context: { type: "string", description: "All that it must know: paths, findings, limits" },
          toolsets: { type: "array", items: { type: "string" }, description: "Default: yours" },
          tasks: {
            type: "array",
            items: {
              type: "object",
              properties: { goal: { type: "string" }, context: { type: "string" }, role: { type: "string" } },
              required: ["goal"],
            },
          },
          role: { type: "string", enum: ["leaf", "orchestrator"], description: "An orchestrator can delegate too" },
        },
      },
      effect: "execute",
      // The subagent's calls are checked one by one, with this session's taint and approvals.
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

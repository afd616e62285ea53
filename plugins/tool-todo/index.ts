import { defineTool, type JsonSchema, type Plugin, type StandardSchema } from "hermes-agent/plugin";
import type { TodoInput } from "./use-todos.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          content: { type: "string" },
          status: { type: "string", enum: ["pending", "in_progress", "completed", "cancelled"] },
        },
      },
    },
    merge: { type: "boolean" },
  },
};

/** The schema for the model is strict; the handler accepts the usable parts of other input. */
const INPUT: StandardSchema<TodoInput> = {
  "~standard": {
    version: 1,
    vendor: "hermes-agent",
    validate: (value) => ({ value: value as TodoInput }),
    jsonSchema: { input: () => SHOWN },
  },
};

/** todo: reads and changes the session's task list. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "todo",
      toolset: "todo",
      emoji: "📋",
      title: "To-dos",
      description:
        "The session's task list, for work of three or more steps. Without todos, reads it; with todos, replaces it; with merge, updates items by id. " +
        "Order is priority. Keep one item in_progress; mark items completed immediately.",
      input: INPUT,
      // It changes only the session's own facts and is idempotent.
      effect: "none",
      async execute(input, call) {
        const { useTodos } = await import("./use-todos.ts");
        return useTodos(input, call);
      },
    }),
  );
};

export default register;

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

/** The model is shown what is meant; of what it sends instead, the list takes what can be used. */
const INPUT: StandardSchema<TodoInput> = {
  "~standard": {
    version: 1,
    vendor: "hermes-agent",
    validate: (value) => ({ value: value as TodoInput }),
    jsonSchema: { input: () => SHOWN },
  },
};

/** todo: the session's task list. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "todo",
      toolset: "todo",
      emoji: "📋",
      description:
        "The session's task list, for work of three or more steps. Without todos it is read; with todos it is replaced, or with merge changed by id. " +
        "Order is priority. Keep one item in_progress; mark an item completed as soon as it is done.",
      input: INPUT,
      // It changes nothing but the session's own facts, and the same list twice is the same list.
      effect: "none",
      async execute(input, call) {
        const { useTodos } = await import("./use-todos.ts");
        return useTodos(input, call);
      },
    }),
  );
};

export default register;

import { defineTool, type JsonSchema, type Plugin, type StandardSchema } from "hermes-agent/plugin";
import type { ClarifyInput } from "./ask-user.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: {
    question: { type: "string" },
    choices: {
      type: "array",
      items: { type: "string" },
      description: "Up to 4 short answers; omit for an open question. The user can always type another answer",
    },
  },
  required: ["question"],
};

/** The schema for the model is strict; the handler accepts the usable parts of other input. */
const INPUT: StandardSchema<ClarifyInput> = {
  "~standard": {
    version: 1,
    vendor: "hermes-agent",
    validate: (value) => ({ value: value as ClarifyInput }),
    jsonSchema: { input: () => SHOWN },
  },
};

/** clarify: asks the user a question. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "clarify",
      toolset: "clarify",
      emoji: "❓",
      title: "Ask: {question}",
      description:
        "Asks the user a question and waits for the answer: one of the choices or free text. " +
        "For decisions that only the user can make; not for permission to run a command, which Hermes requests itself.",
      input: INPUT,
      effect: "none",
      interactive: true,
      timeoutMs: 3_600_000,
      async execute(input, call) {
        const { askUser } = await import("./ask-user.ts");
        return askUser(input, call);
      },
    }),
  );
};

export default register;

import { defineTool, type JsonSchema, type Plugin, type StandardSchema } from "hermes-agent/plugin";
import type { ClarifyInput } from "./ask-user.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: {
    question: { type: "string" },
    choices: {
      type: "array",
      items: { type: "string" },
      description:
        "Up to 4 short answers; leave out for an open question. Writing an answer of one's own is always offered",
    },
  },
  required: ["question"],
};

/** The model is shown what is meant; of what it sends instead, the question takes what can be used. */
const INPUT: StandardSchema<ClarifyInput> = {
  "~standard": {
    version: 1,
    vendor: "hermes-agent",
    validate: (value) => ({ value: value as ClarifyInput }),
    jsonSchema: { input: () => SHOWN },
  },
};

/** clarify: a question to the person. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "clarify",
      toolset: "clarify",
      emoji: "❓",
      description:
        "Asks the person a question and waits for the answer: with choices they pick one or write their own, without they write. " +
        "For decisions that are theirs and that you cannot find out; not for leave to run a command, which is asked for by itself.",
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

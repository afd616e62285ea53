import { defineTool, type Plugin } from "hermes-agent/plugin";

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
      input: {
        type: "object",
        properties: {
          question: { type: "string" },
          choices: { type: "array", items: { type: ["string", "object", "number"] }, description: "Up to 4 short answers; leave out for an open question. Writing an answer of one's own is always offered" },
        },
        required: ["question"],
      },
      effect: "none",
      interactive: true,
      timeoutMs: 3_600_000,
      async execute(input, call) {
        const { askPerson } = await import("./ask-person.ts");
        return askPerson(input, call);
      },
    }),
  );
};

export default register;

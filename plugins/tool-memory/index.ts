import { defineTool, type Plugin } from "hermes-agent/plugin";
import { FILES, storeOf } from "./notes.ts";
import { operationsOf, targetOf, type MemoryInput } from "./operations.ts";

/** memory: notes and a user profile that new sessions start with. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "memory",
      role: "notes",
      toolset: "memory",
      emoji: "🧠",
      description:
        "Saves what later sessions need: preferences, facts, corrections; not the task. old_text: the entry; operations: many changes.",
      input: {
        type: "object",
        properties: {
          target: { type: "string", enum: ["memory", "user"] },
          action: { type: "string", enum: ["add", "replace", "remove"] },
          content: { type: "string" },
          old_text: { type: "string" },
          operations: {
            type: "array",
            items: {
              type: "object",
              properties: { action: { type: "string" }, content: { type: "string" }, old_text: { type: "string" } },
            },
          },
        },
      },
      effect: "write",
      refusal: { success: false },
      prompt: {
        files: Object.values(FILES),
        async text(about) {
          const { remembered } = await import("./remembered.ts");
          return remembered(about);
        },
      },
      assess: (input, call) => ({
        touches: [],
        egress: [
          {
            kind: "change",
            what: `the memory of new sessions (${FILES[targetOf(input)]}): ${changesOf(input)}`,
            instructs: true,
          },
        ],
        risk:
          call.config("memory.write_approval") !== true
            ? undefined
            : {
                answer: "ask",
                key: "memory write",
                reasons: [
                  `Changes ${storeOf(targetOf(input), (path) => call.config(path)).path}, which every new session reads (memory.write_approval).`,
                ],
                effects: [changesOf(input)],
              },
      }),
      async execute(input, call) {
        const { useMemory } = await import("./use-memory.ts");
        return useMemory(input, call, ctx);
      },
    }),
  );
};

/** For the approval prompt. */
function changesOf(input: MemoryInput): string {
  return operationsOf(input)
    .map(({ action, content, oldText }) =>
      [
        action,
        ...(action === "add" ? [] : [`“${short(oldText)}”`]),
        ...(action === "replace" ? ["by"] : []),
        ...(action === "remove" ? [] : [`“${short(content)}”`]),
      ].join(" "),
    )
    .join("; ");
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199).toWellFormed()}…` : line;
}

export default register;

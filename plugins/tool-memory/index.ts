import { defineTool, type Plugin, type RiskContext } from "hermes-agent/plugin";
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
        // A change that waits is no change yet: the user approves it later.
        egress: mustWait(call)
          ? []
          : [
              {
                kind: "change",
                what: `the memory of new sessions (${FILES[targetOf(input)]}): ${changesOf(input)}`,
                instructs: true,
              },
            ],
        risk:
          call.config("memory.write_approval") !== true || mustWait(call)
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
  ctx.command({
    name: "memory",
    description: "List the agent's notes with their authors, undo or edit changes, approve pending ones",
    argsHint: "[list|why ID|log|revert ID|edit ID TEXT|pending|approve ID|reject ID]",
    ownerOnly: true,
    run: async (args, call) => (await import("./memory-command.ts")).memoryCommand(args, call, ctx),
    complete: () => [
      "list",
      "why ",
      "log",
      "revert ",
      "edit ",
      "remove ",
      "pending",
      "approve ",
      "reject ",
      "approval",
    ],
  });
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

/** `memory.write_approval` is on, and no user can be asked. */
function mustWait({ config, interactive }: Pick<RiskContext, "config" | "interactive">): boolean {
  return config("memory.write_approval") === true && interactive === false;
}

export default register;

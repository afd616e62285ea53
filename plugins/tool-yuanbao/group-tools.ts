import { defineTool, ToolFailure, type AnyTool } from "hermes-agent/plugin";
import type { Speaker } from "./chat-scope.ts";
import { FIELDS, type ToolPorts } from "./tool-fields.ts";

const READS = {
  ...FIELDS,
  effect: "read",
  assess: () => ({ untrusted: { source: "Yuanbao", host: "yuanbao.tencent.com" }, egress: [] }),
} as const;

/** Tools that show a group and its members. */
export function groupTools({ speaker, service }: ToolPorts): readonly AnyTool[] {
  return [
    defineTool({
      ...READS,
      name: "yb_query_group_info",
      emoji: "👥",
      description: "Shows name, owner and member count of a Yuanbao group (派).",
      input: { type: "object", properties: { group_code: { type: "string" } }, required: ["group_code"] },
      async execute({ group_code }, call) {
        const [{ groupInfo }, code] = await Promise.all([
          import("./groups.ts"),
          groupOf(group_code, await speaker(call)),
        ]);
        return (await service()).use((line) => groupInfo(code, line, call.signal), call.signal);
      },
    }),
    defineTool({
      ...READS,
      name: "yb_query_group_members",
      emoji: "📋",
      description:
        "Finds members of a Yuanbao group (派) by name, or lists bots or all. A mention needs the exact nickname from here.",
      input: {
        type: "object",
        properties: {
          group_code: { type: "string" },
          action: { type: "string", enum: ["find", "list_bots", "list_all"] },
          name: { type: "string", description: "For find: part of the nickname" },
          mention: { type: "boolean", description: "Explain how to write a mention" },
        },
        required: ["group_code", "action"],
      },
      async execute(input, call) {
        const [{ groupMembers }, group_code] = await Promise.all([
          import("./groups.ts"),
          groupOf(input.group_code, await speaker(call)),
        ]);
        return (await service()).use((line) => groupMembers({ ...input, group_code }, line, call.signal), call.signal);
      },
    }),
  ];
}

/** @throws {ToolFailure} for an invalid group, and for one that the conversation's members may not be in. */
async function groupOf(given: string, speaker: Speaker): Promise<string> {
  const { keepToOwnPlace } = await import("./chat-scope.ts");
  const code = given.trim().replace(/^group:/, "");
  if (!/^[^\s:]+$/.test(code))
    throw new ToolFailure("bad_arguments", "group_code must be the code of one group, such as 328306697.", {
      data: { success: false },
    });
  keepToOwnPlace(`group:${code}`, speaker);
  return code;
}

import { defineTool, type AnyTool, type PluginContext } from "hermes-agent/plugin";
import type { DirectInput } from "./send-direct.ts";
import { FIELDS, type ToolPorts } from "./tool-fields.ts";

const SENDING_MS = 300_000;

/** yb_send_dm: write to a member of a group, in private. */
export function directMessageTool({ speaker, service }: ToolPorts, ctx: PluginContext): AnyTool {
  return defineTool({
    ...FIELDS,
    name: "yb_send_dm",
    emoji: "✉️",
    description: "Sends a direct message (私信) to a member of a Yuanbao group, optionally with files.",
    timeoutMs: SENDING_MS,
    effect: "write",
    input: {
      type: "object",
      properties: {
        group_code: { type: "string", description: "The member's group; optional with user_id" },
        name: { type: "string", description: "Part of the nickname; optional with user_id" },
        message: { type: "string" },
        user_id: { type: "string" },
        media_files: {
          type: "array",
          items: {
            type: "object",
            properties: { path: { type: "string" }, is_voice: { type: "boolean" } },
            required: ["path"],
          },
        },
      },
    },
    async assess(input, call) {
      const given = input as DirectInput;
      const { reachOfDirect, riskOfDirect, surveyDirect } = await import("./send-risk.ts");
      const from = await speaker(call);
      const { user_id } = input;
      return {
        touches: [],
        untrusted: (user_id === undefined || user_id.trim() === "") && {
          source: "Yuanbao",
          host: "yuanbao.tencent.com",
        },
        egress: reachOfDirect(given, from),
        risk: riskOfDirect(given, from),
        survey: async (signal) => surveyDirect(given, from, await service(), signal),
      };
    },
    async execute(input, call) {
      const { sendDirect } = await import("./send-direct.ts");
      return sendDirect(input as DirectInput, await speaker(call), await service(), ctx, call);
    },
  });
}

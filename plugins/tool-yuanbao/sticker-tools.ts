import { defineTool, type AnyTool } from "hermes-agent/plugin";
import type { StickerInput } from "./send-sticker.ts";
import { FIELDS, type ToolPorts } from "./tool-fields.ts";

/** Tools that find and send stickers. */
export function stickerTools({ speaker, service }: ToolPorts): readonly AnyTool[] {
  return [
    defineTool({
      ...FIELDS,
      name: "yb_search_sticker",
      emoji: "🔍",
      description: "Finds Yuanbao stickers (贴纸) by keywords, for yb_send_sticker.",
      effect: "none",
      input: {
        type: "object",
        properties: {
          query: { type: "string", description: "Empty: the first ones" },
          limit: { type: "integer", description: "Default 10, at most 50" },
        },
      },
      async execute({ query = "", limit = 10 }) {
        const [{ findStickers }, { PACKAGE }] = await Promise.all([
          import("./stickers/find-sticker.ts"),
          import("./stickers/catalogue.ts"),
        ]);
        const results = findStickers(query, Math.min(50, Math.max(1, limit))).map(({ id, name, description }) => ({
          sticker_id: id,
          name,
          description,
          package_id: PACKAGE,
        }));
        return { success: true, query, count: results.length, results };
      },
    }),
    defineTool({
      ...FIELDS,
      name: "yb_send_sticker",
      emoji: "🎨",
      description: "Sends a Yuanbao sticker (贴纸) to a chat. A generated picture is not a sticker.",
      effect: "write",
      input: {
        type: "object",
        properties: {
          sticker: { type: "string", description: "Name or id; empty: any" },
          chat_id: { type: "string", description: "group:CODE or direct:ACCOUNT; default: this chat" },
          reply_to: { type: "string", description: "Message id to reply to, in a group" },
        },
      },
      async assess(input, call) {
        const { reachOfSticker, riskOfSticker } = await import("./send-risk.ts");
        const from = await speaker(call);
        const given = input as StickerInput;
        return { touches: [], untrusted: false, egress: reachOfSticker(given, from), risk: riskOfSticker(given, from) };
      },
      async execute(input, call) {
        const { sendSticker } = await import("./send-sticker.ts");
        return sendSticker(input as StickerInput, await speaker(call), await service(), call);
      },
    }),
  ];
}

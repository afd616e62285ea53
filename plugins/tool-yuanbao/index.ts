import {
  ToolFailure,
  defineTool,
  type Availability,
  type EnvNeed,
  type Plugin,
  type Probe,
  type RiskContext,
} from "hermes-agent/plugin";
import type { Service } from "./yuanbao-service.ts";
import type { DirectInput } from "./send-direct.ts";
import type { StickerInput } from "./send-sticker.ts";
import type { Speaker } from "./chat-scope.ts";

const HOSTS = ["bot.yuanbao.tencent.com", "127.0.0.1", "localhost"];
const APP_ID: EnvNeed = {
  name: "YUANBAO_APP_ID",
  description: "App ID of a Yuanbao bot",
  secret: false,
  hosts: HOSTS,
};
const APP_SECRET: EnvNeed = {
  name: "YUANBAO_APP_SECRET",
  description: "App secret of the Yuanbao bot",
  secret: true,
  hosts: HOSTS,
};
const SENDING_MS = 300_000;

/** Tools for Yuanbao groups, direct messages and stickers, for the configured bot. */
const register: Plugin = (ctx) => {
  const speaker = async ({ sessionId }: Pick<RiskContext, "sessionId">): Promise<Speaker> =>
    (await ctx.chats()).speaker(sessionId);
  let opened: Promise<Service> | undefined;
  const service = (): Promise<Service> =>
    (opened ??= import("./yuanbao-service.ts").then(({ Service: Opened }) => new Opened(ctx)));
  ctx.onUnload(async () => (await opened)?.close());

  // The sign-in needs both.
  const available = ({ env }: Probe): Availability =>
    env(APP_SECRET.name) === undefined ? { ok: false, reason: `${APP_SECRET.name} is not set.` } : { ok: true };
  const shared = {
    toolset: "yuanbao",
    env: [APP_ID, APP_SECRET],
    needsOneOf: [`env:${APP_ID.name}`],
    available,
    refusal: { success: false },
    timeoutMs: 90_000,
  } as const;
  const asks = {
    ...shared,
    effect: "read",
    assess: () => ({ untrusted: { source: "Yuanbao", host: "yuanbao.tencent.com" }, egress: [] }),
  } as const;

  ctx.tool(
    defineTool({
      ...asks,
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
  );
  ctx.tool(
    defineTool({
      ...asks,
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
  );
  ctx.tool(
    defineTool({
      ...shared,
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
    }),
  );
  ctx.tool(
    defineTool({
      ...shared,
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
  );
  ctx.tool(
    defineTool({
      ...shared,
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
  );
};

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

export default register;

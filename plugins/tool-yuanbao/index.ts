import type { Plugin } from "hermes-agent/plugin";
import { directMessageTool } from "./direct-message-tool.ts";
import { groupTools } from "./group-tools.ts";
import { stickerTools } from "./sticker-tools.ts";
import type { ToolPorts } from "./tool-fields.ts";
import type { Service } from "./yuanbao-service.ts";

/** Tools for Yuanbao groups, direct messages and stickers, for the configured bot. */
const register: Plugin = (ctx) => {
  let opened: Promise<Service> | undefined;
  const ports: ToolPorts = {
    speaker: async ({ sessionId }) => (await ctx.chats()).speaker(sessionId),
    service: () => (opened ??= import("./yuanbao-service.ts").then(({ Service: Opened }) => new Opened(ctx))),
  };
  ctx.onUnload(async () => (await opened)?.close());

  for (const tool of [...groupTools(ports), directMessageTool(ports, ctx), ...stickerTools(ports)]) ctx.tool(tool);
};

export default register;

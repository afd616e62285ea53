import { randomUUID } from "node:crypto";
import type { ChatAddress } from "../../../contract/services/gateway-service.ts";
import type { LiveMessagePorts } from "./live-message.ts";
import type { PlatformLine } from "../platforms/platform-connection.ts";

/** Sends and edits a message of this chat without the outbox. For previews only, not for answers. */
export function liveIn(
  line: PlatformLine,
  { chatId, threadId }: ChatAddress,
  replyTo?: string,
): Pick<LiveMessagePorts, "send" | "edit"> {
  return {
    send: async (text) =>
      line.send(chatId, text, {
        key: `live:${randomUUID()}`,
        threadId,
        replyTo,
      }),
    edit: (messageId, text) => line.edit(chatId, messageId, text, { finalize: false }),
  };
}

import { ToolFailure, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { Service } from "./yuanbao-service.ts";
import { sendPieces } from "./send-elements.ts";
import { PACKAGE, STICKER_FORMAT, STICKER_PIXELS } from "./stickers/catalogue.ts";
import { stickerOf } from "./stickers/find-sticker.ts";
import { chatOf, keepToOwnPlace, ownChat, type Speaker } from "./chat-scope.ts";

export interface StickerInput {
  readonly sticker?: string | undefined;
  readonly chat_id?: string | undefined;
  readonly reply_to?: string | undefined;
}

/** yb_send_sticker: sends a sticker to a chat. */
export async function sendSticker(
  input: StickerInput,
  speaker: Speaker,
  service: Service,
  call: Pick<ToolContext, "sessionId" | "callId" | "signal">,
): Promise<JsonObject> {
  const chat = stickerChat(input, speaker);
  keepToOwnPlace(chat, speaker);
  const answers = (input.reply_to ?? "").trim();
  if (answers !== "" && !chat.startsWith("group:"))
    throw new ToolFailure("bad_arguments", "reply_to works only in groups.");
  const { id: sticker_id, name } = stickerOf(input.sticker ?? "");
  const data = JSON.stringify({
    sticker_id,
    package_id: PACKAGE,
    width: STICKER_PIXELS,
    height: STICKER_PIXELS,
    formats: STICKER_FORMAT,
    name,
  });
  const piece = { elements: [{ type: "TIMFaceElem", content: { data } }], what: "the sticker" };
  const message_id = await service.use(
    (line) => sendPieces([piece], { chat, answers, key: `${call.sessionId}:${call.callId}` }, line, call.signal),
    call.signal,
  );
  return {
    success: true,
    chat_id: chat,
    sticker: { sticker_id, name },
    message_id,
    note: "The sticker was sent. Answer only if there is more to say.",
  };
}

/** The given chat, else the conversation's own. @throws {ToolFailure} if there is neither. */
export function stickerChat({ chat_id }: StickerInput, speaker: Speaker): string {
  const named = (chat_id ?? "").trim();
  if (named !== "") return chatOf(named);
  const own = ownChat(speaker);
  if (own === undefined)
    throw new ToolFailure("bad_arguments", "chat_id is required: this conversation is not in a Yuanbao chat.", {
      hint: "Use group:CODE or direct:ACCOUNT.",
      data: { success: false },
    });
  return own;
}

import type { PlatformMessage } from "hermes-agent/plugin";
import type { ReceivedFiles } from "hermes-agent/platform";
import type { Bot, Message } from "./telegram-types.ts";

/** Thread id of the general topic in a group with topics. */
const GENERAL = 1;

/** Converts a message for the gateway. */
export function toMessage(
  message: Message,
  { text, files }: { readonly text: string; readonly files?: ReceivedFiles },
  bot: Bot,
): PlatformMessage {
  const { chat, from, location, reply_to_message: answered } = message;
  const thread = threadOf(message);
  const name =
    [from?.first_name, from?.last_name].filter((part) => part !== undefined && part !== "").join(" ") || from?.username;
  const quoted = answered?.text ?? answered?.caption;
  return {
    text: location === undefined ? text : `${text}\n[Location: ${location.latitude}, ${location.longitude}]`.trim(),
    chat_id: String(chat.id),
    chat_type: chat.type === "private" ? "dm" : "group",
    chat_name: chat.title,
    user_id: from === undefined ? undefined : String(from.id),
    user_name: name,
    thread_id: thread === undefined ? undefined : String(thread),
    message_id: String(message.message_id),
    reply_to_text: quoted === undefined || answered?.from?.id === bot.id ? undefined : quoted,
    media_group_id: message.media_group_id,
    media_urls: (files?.paths.length ?? 0) === 0 ? undefined : files?.paths,
    voice: (files?.voice.length ?? 0) === 0 ? undefined : files?.voice,
  };
}

function threadOf({ message_thread_id: thread, is_topic_message }: Message): number | undefined {
  return is_topic_message === true && thread !== GENERAL ? thread : undefined;
}

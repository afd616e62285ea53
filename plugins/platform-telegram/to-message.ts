import type { PlatformMessage } from "hermes-agent/plugin";
import type { Bot, Message } from "./telegram-types.ts";
import { definedFields } from "hermes-agent/plugin";

/** Thread id of the general topic in a group with topics. */
const GENERAL = 1;

export interface SentMessage {
  readonly text: string;
  readonly files: readonly string[];
}

/** Converts grouped messages into one for the gateway: the text of all, the id of the last. */
export function toMessage(messages: readonly Message[], { text, files }: SentMessage, bot: Bot): PlatformMessage {
  const [first, last] = [messages[0]!, messages.at(-1)!];
  const { chat, from, reply_to_message: answered } = first;
  const thread = threadOf(first);
  const name =
    [from?.first_name, from?.last_name].filter((part) => part !== undefined && part !== "").join(" ") || from?.username;
  const quoted = answered?.text ?? answered?.caption;
  return {
    text:
      first.location === undefined
        ? text
        : `${text}\n[Location: ${first.location.latitude}, ${first.location.longitude}]`.trim(),
    chat_id: String(chat.id),
    chat_type: chat.type === "private" ? "dm" : "group",
    chat_name: chat.title,
    ...definedFields({ user_id: from === undefined ? undefined : String(from.id) }),
    user_name: name,
    thread_id: thread === undefined ? undefined : String(thread),
    message_id: String(last.message_id),
    reply_to_text: quoted === undefined || answered?.from?.id === bot.id ? undefined : quoted,
    media_urls: files.length === 0 ? undefined : files,
  };
}

function threadOf({ message_thread_id: thread, is_topic_message }: Message): number | undefined {
  return is_topic_message === true && thread !== GENERAL ? thread : undefined;
}

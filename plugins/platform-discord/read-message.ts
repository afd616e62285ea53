import type { PlatformMessage } from "hermes-agent/plugin";
import { isAddressed, withoutMentions } from "hermes-agent/platform";
import type { Message, Place, User } from "./discord-types.ts";
import type { DiscordSettings } from "./settings.ts";

/** The text of a message to the bot, without its mention; `undefined` if it is not addressed to the bot. */
export function meantFor(
  bot: User,
  message: Message,
  place: Place,
  takesPart: boolean,
  settings: DiscordSettings,
): string | undefined {
  const { author, content = "", mentions = [], type = 0 } = message;
  // Other types report joins, pins and the like.
  if (author === undefined || author.id === bot.id || (type !== 0 && type !== 19)) return undefined;
  const mentioned = mentions.some(({ id }) => id === bot.id);
  if (author.bot === true && (settings.bots === "none" || (settings.bots === "mentions" && !mentioned)))
    return undefined;
  const names = [`<@${bot.id}>`, `<@!${bot.id}>`];
  if (place.direct) return content;
  const answers = message.referenced_message?.author?.id === bot.id;
  const addressed = isAddressed(
    {
      text: content,
      chats: place.thread === undefined ? [place.chat] : [place.thread, place.chat],
      mentioned,
      mentionsOthers: settings.ignoreOthers && !answers && mentions.length > 0,
      answersAgent: answers || (takesPart && !settings.threadsNeedMention),
    },
    settings.mentions,
  );
  return addressed ? withoutMentions(content, names) : undefined;
}

/** The message as the gateway gets it, without files. */
export function toMessage(message: Message, place: Place, text: string): PlatformMessage {
  const { id, author, referenced_message: answered } = message;
  return { ...placed(place, author), text, message_id: id, reply_to_text: answered?.content || undefined };
}

export function placed({ chat, thread, direct }: Place, user: User | undefined): Omit<PlatformMessage, "text"> {
  return {
    chat_id: chat,
    chat_type: direct ? "dm" : thread === undefined ? "group" : "thread",
    thread_id: thread,
    user_id: user?.id,
    user_name: user?.global_name ?? user?.username,
  };
}

import type { TelegramSettings } from "./settings.ts";
import type { Bot, Message } from "./telegram-types.ts";

export type MentionRules = Pick<TelegramSettings, "allowedChats" | "requireMention" | "freeChats" | "mentionPatterns">;

/** The text of a message to the bot, without the bot's name; `undefined` if it is not addressed to the bot. */
export function meantFor(bot: Bot, message: Message, rules: MentionRules): string | undefined {
  const { chat, from, reply_to_message } = message;
  const text = message.text ?? message.caption ?? "";
  if (from === undefined || from.is_bot === true) return undefined;
  if (chat.type === "private") return text;
  if (chat.type === "channel") return undefined;
  if (rules.allowedChats.length > 0 && !rules.allowedChats.includes(String(chat.id))) return undefined;
  const mine = `@${bot.username}`.toLowerCase();
  const mentions = namesIn(message, text);
  const named = mentions.some((mention) => mention === mine || mention === String(bot.id));
  const others = mentions.some((mention) => mention !== mine && mention.endsWith("bot"));
  if (others && !named) return undefined;
  const answersIt = reply_to_message?.from?.id === bot.id;
  const wanted =
    !rules.requireMention ||
    named ||
    answersIt ||
    rules.freeChats.includes(String(chat.id)) ||
    rules.mentionPatterns.some((pattern) => pattern.test(text));
  return wanted ? withoutName(text, bot.username) : undefined;
}

/** In lower case: `@name` of mentions and of `/command@name`, or the id of a user without a name. */
function namesIn({ entities, caption_entities }: Message, text: string): readonly string[] {
  return (entities ?? caption_entities ?? []).flatMap(({ type, offset, length, user }) => {
    const words = text.slice(offset, offset + length).toLowerCase();
    if (type === "mention") return [words];
    if (type === "text_mention") return [String(user?.id)];
    return type === "bot_command" && words.includes("@") ? [words.slice(words.indexOf("@"))] : [];
  });
}

function withoutName(text: string, username: string): string {
  return text.replaceAll(new RegExp(`\\s?@${username}\\b[,:]?`, "gi"), "").trim();
}

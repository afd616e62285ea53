import { isAddressed, withoutMentions, type MentionRules } from "hermes-agent/platform";
import type { Bot, Message } from "./telegram-types.ts";

/** The text of a message to the bot, without the bot's name; `undefined` if it is not addressed to the bot. */
export function meantFor(bot: Bot, message: Message, rules: MentionRules): string | undefined {
  const { chat, from, reply_to_message } = message;
  const text = message.text ?? message.caption ?? "";
  if (from === undefined || from.is_bot === true) return undefined;
  if (chat.type === "private") return text;
  if (chat.type === "channel") return undefined;
  const mine = `@${bot.username}`.toLowerCase();
  const mentions = namesIn(message, text);
  const addressed = isAddressed(
    {
      text,
      chats: [String(chat.id)],
      mentioned: mentions.some((mention) => mention === mine || mention === String(bot.id)),
      mentionsOthers: mentions.some((mention) => mention !== mine && mention.endsWith("bot")),
      answersAgent: reply_to_message?.from?.id === bot.id,
    },
    rules,
  );
  return addressed ? withoutMentions(text, [mine]) : undefined;
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

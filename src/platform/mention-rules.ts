/** When a message of a group is addressed to the agent. */
export interface MentionRules {
  /** Without it, every message of an allowed group is. */
  readonly requireMention: boolean;
  /** Chats where no mention is needed. */
  readonly freeChats: readonly string[];
  /** Chats that the agent answers in; empty: all. */
  readonly allowedChats?: readonly string[];
  /** Chats that it never answers in; they win. */
  readonly ignoredChats?: readonly string[];
  /** Texts that count as a mention. */
  readonly patterns: readonly RegExp[];
}

export interface GroupMessage {
  readonly text: string;
  /** The chat, and those that contain it (thread, channel, space). */
  readonly chats: readonly string[];
  /** The message mentions the agent's account. */
  readonly mentioned: boolean;
  /** It mentions other bots. */
  readonly mentionsOthers?: boolean;
  /** It answers one of the agent's messages, or is in a thread in which the agent takes part. */
  readonly answersAgent?: boolean;
}

/** Whether the agent answers a message of a group. */
export function isAddressed(message: GroupMessage, rules: MentionRules): boolean {
  const listed = (list: readonly string[] = []): boolean => message.chats.some((chat) => list.includes(chat));
  if (listed(rules.ignoredChats)) return false;
  if ((rules.allowedChats ?? []).length > 0 && !listed(rules.allowedChats)) return false;
  if (message.mentionsOthers === true && !message.mentioned) return false;
  return (
    !rules.requireMention ||
    message.mentioned ||
    message.answersAgent === true ||
    listed(rules.freeChats) ||
    rules.patterns.some((pattern) => pattern.test(message.text))
  );
}

/** The text without mentions of these names, each as it appears: `@hermes`, `<@U123>`. */
export function withoutMentions(text: string, names: readonly string[]): string {
  const found = names.filter((name) => name !== "").map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&"));
  if (found.length === 0) return text.trim();
  return text.replaceAll(new RegExp(`\\s?(?:${found.join("|")})(?![\\w])[,:]?`, "giu"), "").trim();
}

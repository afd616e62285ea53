import type { PlatformMessage } from "hermes-agent/plugin";
import { isAddressed, withoutMentions } from "hermes-agent/platform";
import type { SlackSettings } from "./settings.ts";
import { fromMrkdwn, usersIn } from "./from-mrkdwn.ts";
import type { MessageEvent, SlackMessage } from "./slack-types.ts";
import type { Workspace } from "./workspaces.ts";

/** Other subtypes report joins, pins and the like. */
const WRITTEN = new Set(["", "file_share", "bot_message", "me_message", "thread_broadcast"]);

/** Whether a user or another bot wrote it. */
export function isWritten({ subtype = "" }: MessageEvent): boolean {
  return WRITTEN.has(subtype);
}

export function isOwn({ user, bot_id }: SlackMessage, workspace: Workspace): boolean {
  return user === workspace.user || (bot_id !== undefined && bot_id === workspace.bot);
}

export function isDirect({ channel, channel_type }: Pick<MessageEvent, "channel" | "channel_type">): boolean {
  return channel_type === undefined ? channel.startsWith("D") : channel_type === "im";
}

/**
 * Slack's text of a message to the bot, without its mention; `undefined` if it is not addressed to the bot.
 * @param takesPart The agent takes part in its thread.
 */
export function meantFor(
  event: MessageEvent,
  workspace: Workspace,
  takesPart: boolean,
  settings: SlackSettings,
): string | undefined {
  const { text = "", channel, bot_id } = event;
  const mention = `<@${workspace.user}>`;
  const mentioned = usersIn(text).includes(workspace.user);
  if (bot_id !== undefined && (settings.bots === "none" || (settings.bots === "mentions" && !mentioned)))
    return undefined;
  if (isDirect(event)) return text;
  const addressed = isAddressed(
    {
      text: withoutMentions(fromMrkdwn(text), []),
      chats: [channel],
      mentioned,
      answersAgent: takesPart && !settings.strict,
    },
    settings.mentions,
  );
  return addressed ? withoutMentions(text, [mention]) : undefined;
}

/** Where a message is and who wrote it. */
export async function placed(
  event: Pick<MessageEvent, "channel" | "channel_type" | "user" | "bot_id" | "ts" | "thread_ts">,
  workspace: Workspace,
  { replyInThread, directThreads }: Pick<SlackSettings, "replyInThread" | "directThreads">,
): Promise<Omit<PlatformMessage, "text">> {
  const direct = isDirect(event);
  const own = (direct ? directThreads : replyInThread) ? event.ts : undefined;
  const author = event.user ?? event.bot_id;
  return {
    chat_id: event.channel,
    chat_type: direct ? "dm" : "group",
    thread_id: event.thread_ts ?? own,
    user_id: author,
    user_name: event.user === undefined ? undefined : await workspace.nameOf(event.user),
  };
}

/** Slack's text in words, with the names of mentioned users. */
export async function inWords(text: string, workspace: Workspace): Promise<string> {
  const names = new Map<string, string>();
  for (const user of new Set(usersIn(text))) {
    const name = await workspace.nameOf(user);
    if (name !== undefined) names.set(user, name);
  }
  return fromMrkdwn(text, names);
}

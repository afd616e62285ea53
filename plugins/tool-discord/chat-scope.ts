import { ToolFailure, objectOf, type ChatPost, type Json } from "hermes-agent/plugin";
import { askDiscord, type DiscordPorts } from "./discord-api.ts";
import type { ReadInput } from "./read-call.ts";

export type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

const PLATFORM = "discord";

/** The conversation's own channel, which its members read anyway. */
export function isOwnPlace({ channel_id }: Pick<ReadInput, "channel_id">, { chat }: Speaker): boolean {
  return (
    channel_id !== undefined &&
    chat?.platform === PLATFORM &&
    (channel_id === chat.chat_id || channel_id === chat.thread_id)
  );
}

/**
 * The bot sees more of a server than most of its members. Users other than the owner may use it only in their own
 * conversation.
 * @throws {ToolFailure} for anything else.
 */
export async function keepToOwnPlace(
  input: ReadInput,
  speaker: Speaker,
  ports: DiscordPorts,
  signal: AbortSignal,
): Promise<void> {
  if (speaker.whose === undefined || isOwnPlace(input, speaker)) return;
  if (
    input.action === "search_members" &&
    input.guild_id !== undefined &&
    input.guild_id === (await ownGuild(speaker, ports, signal))
  )
    return;
  throw new ToolFailure(
    "blocked",
    `In a conversation with a user other than the owner, "${input.action}" works only in this channel and server.`,
    { hint: "Use this conversation's channel, or members of its server." },
  );
}

/** Refused even in the user's own channel, because the user's rank in the server is unknown. */
export function ownerAlone(input: ReadInput, { whose }: Speaker): void {
  if (whose !== undefined)
    throw new ToolFailure("blocked", `"${input.action}" is available only in the owner's conversations.`);
}

async function ownGuild({ chat }: Speaker, ports: DiscordPorts, signal: AbortSignal): Promise<Json | undefined> {
  if (chat?.platform !== PLATFORM || !/^\d+$/.test(chat.chat_id)) return undefined;
  return objectOf(
    await askDiscord({ method: "GET", path: `/channels/${chat.chat_id}`, repeatable: true }, ports, signal),
  )["guild_id"];
}

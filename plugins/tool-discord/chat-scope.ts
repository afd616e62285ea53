import { ToolFailure, objectOf, type ChatPost, type Json } from "hermes-agent/plugin";
import { askDiscord, type DiscordPorts } from "./discord-api.ts";
import type { ReadInput } from "./read-call.ts";

export type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

const PLATFORM = "discord";

/** The conversation itself: what is written there, its people read anyway. */
export function isOwnPlace({ channel_id }: Pick<ReadInput, "channel_id">, { chat }: Speaker): boolean {
  return (
    channel_id !== undefined &&
    chat?.platform === PLATFORM &&
    (channel_id === chat.chat_id || channel_id === chat.thread_id)
  );
}

/**
 * The bot sees more of a server than most of its people. Somebody else than the agent's owner gets by it what they can see: their own conversation.
 * @throws {ToolFailure} for the rest.
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
    `In a conversation that is not its owner's the agent does "${input.action}" nowhere else.`,
    { hint: "Its own channel, and members of that server, can be asked for." },
  );
}

/** Not even there: who has rank in a server is not known here. */
export function ownerAlone(input: ReadInput, { whose }: Speaker): void {
  if (whose !== undefined)
    throw new ToolFailure("blocked", `Only in a conversation of its owner does the agent do "${input.action}".`);
}

async function ownGuild({ chat }: Speaker, ports: DiscordPorts, signal: AbortSignal): Promise<Json | undefined> {
  if (chat?.platform !== PLATFORM || !/^\d+$/.test(chat.chat_id)) return undefined;
  return objectOf(
    await askDiscord({ method: "GET", path: `/channels/${chat.chat_id}`, repeatable: true }, ports, signal),
  )["guild_id"];
}

import { ToolFailure, type Json, type Reach, type Risk } from "hermes-agent/plugin";
import type { Action, DiscordInput } from "./actions.ts";
import { readCall, type ReadInput } from "./read-call.ts";
import { isOwnPlace, type Speaker } from "./chat-scope.ts";

/** What takes something away from people or gives power asks, and so does a message to another place than the conversation's own. */
export function riskOfAct(
  tool: Action["tool"],
  given: DiscordInput,
  setting: Json | undefined,
  speaker: Speaker,
): Risk | undefined {
  const input = readOrNothing(tool, given, setting);
  if (input === undefined || input.of.kind === "reads") return undefined;
  if (input.of.kind === "harms")
    return {
      answer: "ask",
      key: `discord ${input.action}`,
      reasons: [
        `${WORDS[input.action]!(input)}${input.reason === undefined ? "" : `, because: “${short(input.reason)}”`}.`,
      ],
      effects: [],
    };
  if (input.action !== "send_message" || isOwnPlace(input, speaker)) return undefined;
  return {
    answer: "ask",
    key: `message to discord:${input.channel_id}`,
    reasons: [`Sends to channel ${input.channel_id} of Discord: “${short(input.message ?? "")}”`],
    effects: [],
  };
}

/** Whatever changes something there, others see. */
export function reachOfAct(
  tool: Action["tool"],
  given: DiscordInput,
  setting: Json | undefined,
  speaker: Speaker,
): readonly Reach[] {
  const input = readOrNothing(tool, given, setting);
  if (input === undefined || input.of.kind === "reads") return [];
  if (tool === "discord" && isOwnPlace(input, speaker)) return [];
  const message = input.message ?? input.name ?? input.emoji;
  return [{ kind: "send", what: `Discord, ${input.action}${message === undefined ? "" : `: “${short(message)}”`}` }];
}

const WORDS: { readonly [action: string]: (input: ReadInput) => string } = {
  delete_message: ({ message_id, channel_id }) => `Deletes message ${message_id} of channel ${channel_id} of Discord`,
  delete_channel: ({ channel_id }) => `Deletes channel ${channel_id} of Discord with all its messages`,
  add_role: ({ role_id, user_id, guild_id }) =>
    `Gives role ${role_id} to user ${user_id} in server ${guild_id} of Discord`,
  remove_role: ({ role_id, user_id, guild_id }) =>
    `Takes role ${role_id} from user ${user_id} in server ${guild_id} of Discord`,
  timeout_member: ({ user_id, minutes, guild_id }) =>
    minutes === 0
      ? `Lets user ${user_id} speak again in server ${guild_id} of Discord`
      : `Silences user ${user_id} for ${minutes} minutes in server ${guild_id} of Discord`,
  kick_member: ({ user_id, guild_id }) => `Removes user ${user_id} from server ${guild_id} of Discord`,
  ban_member: ({ user_id, guild_id }) => `Bans user ${user_id} from server ${guild_id} of Discord`,
  unban_member: ({ user_id, guild_id }) => `Lets banned user ${user_id} back into server ${guild_id} of Discord`,
};

function readOrNothing(tool: Action["tool"], given: DiscordInput, setting: Json | undefined): ReadInput | undefined {
  try {
    return readCall(tool, given, setting);
  } catch (cause) {
    if (cause instanceof ToolFailure) return undefined; // Nothing is sent of it: the call itself says why.
    throw cause;
  }
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}

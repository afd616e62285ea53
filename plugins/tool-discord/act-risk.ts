import { ToolFailure, type Json, type Egress, type Risk } from "hermes-agent/plugin";
import type { Action, DiscordInput } from "./actions.ts";
import { readCall, type ReadInput } from "./read-call.ts";
import { isOwnPlace, type Speaker } from "./chat-scope.ts";

/**
 * Asks before actions that take something from users or grant them power, and before messages outside the
 * conversation's own channel.
 */
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
    reasons: [`Sends to the Discord channel ${input.channel_id}: “${short(input.message ?? "")}”`],
    effects: [],
  };
}

/** Other users see every change there. */
export function reachOfAct(
  tool: Action["tool"],
  given: DiscordInput,
  setting: Json | undefined,
  speaker: Speaker,
): readonly Egress[] {
  const input = readOrNothing(tool, given, setting);
  if (input === undefined || input.of.kind === "reads") return [];
  if (tool === "discord" && isOwnPlace(input, speaker)) return [];
  const message = input.message ?? input.name ?? input.emoji;
  return [{ kind: "send", what: `Discord, ${input.action}${message === undefined ? "" : `: “${short(message)}”`}` }];
}

const WORDS: { readonly [action: string]: (input: ReadInput) => string } = {
  delete_message: ({ message_id, channel_id }) => `Deletes message ${message_id} in the Discord channel ${channel_id}`,
  delete_channel: ({ channel_id }) => `Deletes the Discord channel ${channel_id} with all its messages`,
  add_role: ({ role_id, user_id, guild_id }) =>
    `Gives role ${role_id} to user ${user_id} in the Discord server ${guild_id}`,
  remove_role: ({ role_id, user_id, guild_id }) =>
    `Takes role ${role_id} from user ${user_id} in the Discord server ${guild_id}`,
  timeout_member: ({ user_id, minutes, guild_id }) =>
    minutes === 0
      ? `Ends the timeout of user ${user_id} in the Discord server ${guild_id}`
      : `Times out user ${user_id} for ${minutes} minutes in the Discord server ${guild_id}`,
  kick_member: ({ user_id, guild_id }) => `Kicks user ${user_id} from the Discord server ${guild_id}`,
  ban_member: ({ user_id, guild_id }) => `Bans user ${user_id} from the Discord server ${guild_id}`,
  unban_member: ({ user_id, guild_id }) => `Unbans user ${user_id} in the Discord server ${guild_id}`,
};

function readOrNothing(tool: Action["tool"], given: DiscordInput, setting: Json | undefined): ReadInput | undefined {
  try {
    return readCall(tool, given, setting);
  } catch (cause) {
    if (cause instanceof ToolFailure) return undefined; // The call will be refused with this error, so there is nothing to ask about.
    throw cause;
  }
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}

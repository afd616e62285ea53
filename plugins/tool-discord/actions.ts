import type { Json } from "hermes-agent/plugin";

/** The arguments of both tools. */
export interface DiscordInput {
  readonly action: string;
  readonly guild_id?: string | undefined;
  readonly channel_id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly role_id?: string | undefined;
  readonly message_id?: string | undefined;
  readonly query?: string | undefined;
  readonly name?: string | undefined;
  readonly message?: string | undefined;
  readonly emoji?: string | undefined;
  readonly reason?: string | undefined;
  readonly type?: string | undefined;
  readonly minutes?: number | undefined;
  readonly limit?: number | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly auto_archive_duration?: number | undefined;
}

export interface Action {
  readonly tool: "discord" | "discord_admin";
  readonly needs: readonly (keyof DiscordInput)[];
  /** Optional arguments. */
  readonly takes?: readonly (keyof DiscordInput)[];
  /** Description for the model. */
  readonly does: string;
  /** `reads` changes nothing. `harms` takes something from users or grants power, so the owner is asked each time. */
  readonly kind: "reads" | "acts" | "harms";
  /** The permission that is most likely missing when Discord refuses. */
  readonly permission?: string;
}

const SEES = "VIEW_CHANNEL or READ_MESSAGE_HISTORY in this channel";
const RANK = "MANAGE_ROLES, or the role is above the bot's highest one";

/** All actions of both tools. */
export const ACTIONS: ReadonlyMap<string, Action> = new Map<string, Action>([
  [
    "fetch_messages",
    {
      tool: "discord",
      needs: ["channel_id"],
      takes: ["limit", "before", "after"],
      does: "latest messages, or those before or after one",
      kind: "reads",
      permission: SEES,
    },
  ],
  [
    "search_members",
    {
      tool: "discord",
      needs: ["guild_id", "query"],
      takes: ["limit"],
      does: "members by name prefix",
      kind: "reads",
      permission: "the Server Members intent",
    },
  ],
  [
    "send_message",
    {
      tool: "discord",
      needs: ["channel_id", "message"],
      takes: ["message_id"],
      does: "message_id: replies to it",
      kind: "acts",
      permission: "SEND_MESSAGES in this channel",
    },
  ],
  [
    "add_reaction",
    {
      tool: "discord",
      needs: ["channel_id", "message_id", "emoji"],
      does: "",
      kind: "acts",
      permission: "ADD_REACTIONS in this channel",
    },
  ],
  [
    "remove_reaction",
    {
      tool: "discord",
      needs: ["channel_id", "message_id", "emoji"],
      does: "only the bot's own",
      kind: "acts",
      permission: "READ_MESSAGE_HISTORY in this channel",
    },
  ],
  [
    "create_thread",
    {
      tool: "discord",
      needs: ["channel_id", "name"],
      takes: ["message_id", "auto_archive_duration"],
      does: "public; message_id: starts from that message",
      kind: "acts",
      permission: "CREATE_PUBLIC_THREADS in this channel",
    },
  ],

  ["list_guilds", { tool: "discord_admin", needs: [], does: "servers of the bot", kind: "reads" }],
  ["server_info", { tool: "discord_admin", needs: ["guild_id"], does: "", kind: "reads" }],
  ["list_channels", { tool: "discord_admin", needs: ["guild_id"], does: "by category", kind: "reads" }],
  [
    "channel_info",
    {
      tool: "discord_admin",
      needs: ["channel_id"],
      does: "",
      kind: "reads",
      permission: "VIEW_CHANNEL in this channel",
    },
  ],
  ["list_roles", { tool: "discord_admin", needs: ["guild_id"], does: "highest first", kind: "reads" }],
  [
    "member_info",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id"],
      does: "",
      kind: "reads",
      permission: "the Server Members intent",
    },
  ],
  ["list_pins", { tool: "discord_admin", needs: ["channel_id"], does: "", kind: "reads", permission: SEES }],
  [
    "pin_message",
    {
      tool: "discord_admin",
      needs: ["channel_id", "message_id"],
      does: "",
      kind: "acts",
      permission: "MANAGE_MESSAGES in this channel",
    },
  ],
  [
    "unpin_message",
    {
      tool: "discord_admin",
      needs: ["channel_id", "message_id"],
      does: "",
      kind: "acts",
      permission: "MANAGE_MESSAGES in this channel",
    },
  ],
  [
    "delete_message",
    {
      tool: "discord_admin",
      needs: ["channel_id", "message_id"],
      takes: ["reason"],
      does: "",
      kind: "harms",
      permission: "MANAGE_MESSAGES in this channel",
    },
  ],
  [
    "create_channel",
    {
      tool: "discord_admin",
      needs: ["guild_id", "name"],
      takes: ["type", "channel_id"],
      does: "channel_id: the category",
      kind: "acts",
      permission: "MANAGE_CHANNELS",
    },
  ],
  [
    "delete_channel",
    {
      tool: "discord_admin",
      needs: ["channel_id"],
      takes: ["reason"],
      does: "and all its messages",
      kind: "harms",
      permission: "MANAGE_CHANNELS",
    },
  ],
  [
    "add_role",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id", "role_id"],
      takes: ["reason"],
      does: "",
      kind: "harms",
      permission: RANK,
    },
  ],
  [
    "remove_role",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id", "role_id"],
      takes: ["reason"],
      does: "",
      kind: "harms",
      permission: RANK,
    },
  ],
  [
    "timeout_member",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id", "minutes"],
      takes: ["reason"],
      does: "0 minutes ends the timeout",
      kind: "harms",
      permission: "MODERATE_MEMBERS",
    },
  ],
  [
    "kick_member",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id"],
      takes: ["reason"],
      does: "",
      kind: "harms",
      permission: "KICK_MEMBERS",
    },
  ],
  [
    "ban_member",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id"],
      takes: ["reason"],
      does: "",
      kind: "harms",
      permission: "BAN_MEMBERS",
    },
  ],
  [
    "unban_member",
    {
      tool: "discord_admin",
      needs: ["guild_id", "user_id"],
      takes: ["reason"],
      does: "",
      kind: "harms",
      permission: "BAN_MEMBERS",
    },
  ],
]);

/** Actions of a tool that `discord.server_actions` allows. */
export function allowedActions(tool: Action["tool"], setting: Json | undefined): readonly string[] {
  const named = (
    typeof setting === "string"
      ? setting.split(",")
      : Array.isArray(setting)
        ? (setting as readonly Json[]).map(String)
        : []
  )
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return [...ACTIONS].flatMap(([name, action]) =>
    action.tool === tool && (named.length === 0 || named.includes(name)) ? [name] : [],
  );
}

/** The actions as signatures: `fetch_messages(channel_id, limit?) latest messages`. */
export function manifestOf(names: readonly string[]): string {
  return names
    .map((name) => {
      const { needs, takes = [], does } = ACTIONS.get(name)!;
      return `${name}(${[...needs, ...takes.map((one) => `${one}?`)].join(", ")})${does === "" ? "" : ` ${does}`}`;
    })
    .join("; ");
}

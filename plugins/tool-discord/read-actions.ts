import { definedFields, objectOf, type Json, type JsonObject } from "hermes-agent/plugin";
import { listOf, type ApiRequest } from "./discord-api.ts";
import { need, type ReadInput } from "./read-call.ts";

interface Look {
  request(input: ReadInput): Pick<ApiRequest, "path" | "query">;
  shown(answer: Json): JsonObject;
}

const KINDS: { readonly [type: number]: string } = {
  0: "text",
  2: "voice",
  4: "category",
  5: "announcement",
  10: "announcement_thread",
  11: "public_thread",
  12: "private_thread",
  13: "stage",
  15: "forum",
  16: "media",
};
const CATEGORY = 4;
const PIN_CHARS = 200;

const limit = ({ limit: asked }: ReadInput, otherwise: number): string =>
  String(Math.min(100, Math.max(1, Math.trunc(asked ?? otherwise))));
const either = (value: Json | undefined, otherwise: Json = null): Json => value ?? otherwise;

/** Requests of the reading actions, and the parts of the responses that the model gets. */
export const LOOKS: { readonly [action: string]: Look } = {
  fetch_messages: {
    request: (input) => ({
      path: `/channels/${need(input, "channel_id")}/messages`,
      query: { limit: limit(input, 50), before: input.before, after: input.after },
    }),
    shown(answer) {
      const messages = listOf(answer).map(messageOf);
      // Messages of other users are empty if the bot may not read them.
      const unread =
        messages.length > 0 &&
        messages.every(
          ({ content, attachments, author }) =>
            content === "" &&
            Array.isArray(attachments) &&
            attachments.length === 0 &&
            objectOf(author)["bot"] !== true,
        );
      return definedFields({
        messages,
        count: messages.length,
        note: unread
          ? "All messages are empty: the bot lacks the Message Content intent (Discord developer portal, under Bot)."
          : undefined,
      });
    },
  },
  search_members: {
    request: (input) => ({
      path: `/guilds/${need(input, "guild_id")}/members/search`,
      query: { query: input.query, limit: limit(input, 20) },
    }),
    shown(answer) {
      const members = listOf(answer).map((member) => ({ ...userOf(member), roles: either(member["roles"], []) }));
      return { members, count: members.length };
    },
  },
  list_guilds: {
    request: () => ({ path: "/users/@me/guilds" }),
    shown(answer) {
      const guilds = listOf(answer).map(({ id, name, icon, owner, permissions }) => ({
        id: either(id),
        name: either(name),
        icon: either(icon),
        owner: either(owner, false),
        permissions: either(permissions),
      }));
      return { guilds, count: guilds.length };
    },
  },
  server_info: {
    request: (input) => ({ path: `/guilds/${need(input, "guild_id")}`, query: { with_counts: "true" } }),
    shown(answer) {
      const guild = objectOf(answer);
      const same = ["id", "name", "description", "icon", "owner_id"].map((key) => [key, either(guild[key])]);
      const rest = ["premium_tier", "premium_subscription_count", "verification_level"].map((key) => [
        key,
        either(guild[key]),
      ]);
      return {
        ...Object.fromEntries(same),
        member_count: either(guild["approximate_member_count"]),
        online_count: either(guild["approximate_presence_count"]),
        features: either(guild["features"], []),
        ...Object.fromEntries(rest),
      };
    },
  },
  list_channels: {
    request: (input) => ({ path: `/guilds/${need(input, "guild_id")}/channels` }),
    shown: channelGroups,
  },
  channel_info: {
    request: (input) => ({ path: `/channels/${need(input, "channel_id")}` }),
    shown(answer) {
      const { id, name, type, guild_id, topic, nsfw, position, parent_id, rate_limit_per_user, last_message_id } =
        objectOf(answer);
      return {
        id: either(id),
        name: either(name),
        type: kindOf(type),
        guild_id: either(guild_id),
        topic: either(topic),
        nsfw: either(nsfw, false),
        position: either(position),
        parent_id: either(parent_id),
        rate_limit_per_user: either(rate_limit_per_user, 0),
        last_message_id: either(last_message_id),
      };
    },
  },
  list_roles: {
    request: (input) => ({ path: `/guilds/${need(input, "guild_id")}/roles` }),
    shown(answer) {
      const roles = byPosition(listOf(answer))
        .toReversed()
        .map(({ id, name, color, position, mentionable, managed, member_count, hoist }) => ({
          id: either(id),
          name: either(name),
          color: typeof color === "number" && color !== 0 ? `#${color.toString(16).padStart(6, "0")}` : null,
          position: either(position, 0),
          mentionable: either(mentionable, false),
          managed: either(managed, false),
          member_count: either(member_count),
          hoist: either(hoist, false),
        }));
      return { roles, count: roles.length };
    },
  },
  member_info: {
    request: (input) => ({ path: `/guilds/${need(input, "guild_id")}/members/${need(input, "user_id")}` }),
    shown(answer) {
      const member = objectOf(answer);
      return {
        ...userOf(member),
        avatar: either(objectOf(member["user"])["avatar"]),
        roles: either(member["roles"], []),
        joined_at: either(member["joined_at"]),
        premium_since: either(member["premium_since"]),
      };
    },
  },
  list_pins: {
    request: (input) => ({ path: `/channels/${need(input, "channel_id")}/pins` }),
    shown(answer) {
      const pinned = listOf(answer).map(({ id, content, author, timestamp }) => ({
        id: either(id),
        content: String(content ?? "")
          .slice(0, PIN_CHARS)
          .toWellFormed(),
        author: either(objectOf(author)["username"]),
        timestamp: either(timestamp),
      }));
      return { pinned_messages: pinned, count: pinned.length };
    },
  },
};

function messageOf(message: JsonObject): JsonObject {
  const { id, username, global_name, bot } = objectOf(message["author"]);
  return {
    id: either(message["id"]),
    content: either(message["content"], ""),
    author: { id: either(id), username: either(username), display_name: either(global_name), bot: either(bot, false) },
    timestamp: either(message["timestamp"]),
    edited_timestamp: either(message["edited_timestamp"]),
    attachments: listOf(message["attachments"]).map(({ filename, url, size }) => ({
      filename: either(filename),
      url: either(url),
      size: either(size),
    })),
    reactions: listOf(message["reactions"]).map(({ emoji, count }) => ({
      emoji: either(objectOf(emoji)["name"]),
      count: either(count, 0),
    })),
    pinned: either(message["pinned"], false),
  };
}

function userOf(member: JsonObject): JsonObject {
  const { id, username, global_name, bot } = objectOf(member["user"]);
  return {
    user_id: either(id),
    username: either(username),
    display_name: either(global_name),
    nickname: either(member["nick"]),
    bot: either(bot, false),
  };
}

function channelGroups(answer: Json): JsonObject {
  const all = byPosition(listOf(answer));
  const categories = all.filter(({ type }) => type === CATEGORY);
  const others = all.filter(({ type }) => type !== CATEGORY);
  const shown = ({ id, name, type, position, topic, nsfw }: JsonObject): JsonObject => ({
    id: either(id),
    name: either(name, ""),
    type: kindOf(type),
    position: either(position, 0),
    topic: either(topic),
    nsfw: either(nsfw, false),
  });
  const loose = others.filter(({ parent_id }) => !categories.some(({ id }) => id === parent_id));
  const groups = [
    ...(loose.length === 0 ? [] : [{ category: null, channels: loose.map(shown) }]),
    ...categories.map(({ id, name }) => ({
      category: { id: either(id), name: either(name) },
      channels: others.filter(({ parent_id }) => parent_id === id).map(shown),
    })),
  ];
  return { channel_groups: groups, total_channels: others.length };
}

function byPosition(all: readonly JsonObject[]): readonly JsonObject[] {
  return all.toSorted((a, b) => Number(a["position"] ?? 0) - Number(b["position"] ?? 0));
}

function kindOf(type: Json | undefined): string {
  return KINDS[Number(type)] ?? `unknown(${String(type)})`;
}

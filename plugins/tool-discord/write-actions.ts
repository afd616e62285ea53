import { createHash } from "node:crypto";
import { definedFields, ToolFailure, objectOf, type Json, type JsonObject } from "hermes-agent/plugin";
import { type ApiRequest } from "./discord-api.ts";
import { emojiOf, need, type ReadInput } from "./read-call.ts";

interface Deed {
  /** @param key Of this call: what is sent under it once is not sent twice. */
  request(input: ReadInput, key: string, now: number): ApiRequest;
  told(input: ReadInput, answer: Json): JsonObject;
}

const MAX_CHARS = 2_000;
const PUBLIC_THREAD = 11;
const TYPES: { readonly [name: string]: number } = { text: 0, voice: 2, category: 4, announcement: 5, forum: 15 };
/** Discord's longest. */
const MAX_MINUTES = 28 * 24 * 60;

const done =
  (words: (input: ReadInput) => string): Deed["told"] =>
  (input) => ({ success: true, message: words(input) });
const at = (input: ReadInput): string => `/channels/${need(input, "channel_id")}/messages/${need(input, "message_id")}`;
const member = (input: ReadInput): string => `/guilds/${need(input, "guild_id")}/members/${need(input, "user_id")}`;
const role = (input: ReadInput): string => `${member(input)}/roles/${need(input, "role_id")}`;
const ban = (input: ReadInput): string => `/guilds/${need(input, "guild_id")}/bans/${need(input, "user_id")}`;
const same =
  (method: "PUT" | "DELETE", path: (input: ReadInput) => string): Deed["request"] =>
  (input) => ({ method, path: path(input), reason: input.reason, repeatable: true });

/** What actions that change something send, and what they tell. */
export const DEEDS: { readonly [action: string]: Deed } = {
  send_message: {
    request(input, key) {
      const content = need(input, "message").trim();
      if (content.length > MAX_CHARS)
        throw new ToolFailure(
          "bad_arguments",
          `A message of Discord has at most ${MAX_CHARS} characters; this has ${content.length}.`,
          { hint: "Send it in pieces." },
        );
      const answers =
        input.message_id === undefined
          ? {}
          : { message_reference: { message_id: input.message_id, fail_if_not_exists: false } };
      // A nonce that came before is the message that came with it. Nobody is called but whom it names.
      const nonce = createHash("sha256").update(key).digest("hex").slice(0, 25);
      return {
        method: "POST",
        path: `/channels/${need(input, "channel_id")}/messages`,
        body: { content, nonce, enforce_nonce: true, allowed_mentions: { parse: ["users"] }, ...answers },
        repeatable: true,
      };
    },
    told: (input, answer) => ({
      success: true,
      message_id: objectOf(answer)["id"] ?? null,
      channel_id: need(input, "channel_id"),
    }),
  },
  add_reaction: {
    request: same("PUT", (input) => `${at(input)}/reactions/${emojiOf(need(input, "emoji"))}/@me`),
    told: done((input) => `Reacted to message ${input.message_id}.`),
  },
  remove_reaction: {
    request: same("DELETE", (input) => `${at(input)}/reactions/${emojiOf(need(input, "emoji"))}/@me`),
    told: done((input) => `Reaction to message ${input.message_id} removed.`),
  },
  create_thread: {
    request(input) {
      const body = {
        name: need(input, "name").trim().slice(0, 100),
        auto_archive_duration: input.auto_archive_duration ?? 1440,
      };
      const path =
        input.message_id === undefined ? `/channels/${need(input, "channel_id")}/threads` : `${at(input)}/threads`;
      return {
        method: "POST",
        path,
        body: input.message_id === undefined ? { ...body, type: PUBLIC_THREAD } : body,
        repeatable: false,
      };
    },
    told: ({ name }, answer) => ({ success: true, thread_id: objectOf(answer)["id"] ?? null, name: name ?? null }),
  },
  pin_message: {
    request: same("PUT", (input) => `/channels/${need(input, "channel_id")}/pins/${need(input, "message_id")}`),
    told: done((input) => `Message ${input.message_id} pinned.`),
  },
  unpin_message: {
    request: same("DELETE", (input) => `/channels/${need(input, "channel_id")}/pins/${need(input, "message_id")}`),
    told: done((input) => `Message ${input.message_id} unpinned.`),
  },
  delete_message: { request: same("DELETE", at), told: done((input) => `Message ${input.message_id} deleted.`) },
  create_channel: {
    request(input) {
      const type = TYPES[input.type ?? "text"];
      if (type === undefined)
        throw new ToolFailure("bad_arguments", `"${input.type}" is no type of a channel.`, {
          hint: `${Object.keys(TYPES).join(", ")}.`,
        });
      return {
        method: "POST",
        path: `/guilds/${need(input, "guild_id")}/channels`,
        body: definedFields({
          name: need(input, "name").trim().slice(0, 100),
          type,
          parent_id: input.channel_id,
        }),
        repeatable: false,
      };
    },
    told: ({ name }, answer) => ({ success: true, channel_id: objectOf(answer)["id"] ?? null, name: name ?? null }),
  },
  delete_channel: {
    request: same("DELETE", (input) => `/channels/${need(input, "channel_id")}`),
    told: done((input) => `Channel ${input.channel_id} deleted.`),
  },
  add_role: {
    request: same("PUT", role),
    told: done((input) => `Role ${input.role_id} added to user ${input.user_id}.`),
  },
  remove_role: {
    request: same("DELETE", role),
    told: done((input) => `Role ${input.role_id} removed from user ${input.user_id}.`),
  },
  timeout_member: {
    request(input, _, now) {
      const minutes = input.minutes!;
      if (!(minutes >= 0 && minutes <= MAX_MINUTES))
        throw new ToolFailure("bad_arguments", `minutes goes from 0 to ${MAX_MINUTES}, four weeks.`);
      return {
        method: "PATCH",
        path: member(input),
        body: { communication_disabled_until: minutes === 0 ? null : new Date(now + minutes * 60_000).toISOString() },
        reason: input.reason,
        repeatable: true,
      };
    },
    told: done((input) =>
      input.minutes === 0
        ? `User ${input.user_id} may speak again.`
        : `User ${input.user_id} may not speak for ${input.minutes} minutes.`,
    ),
  },
  kick_member: {
    request: same("DELETE", member),
    told: done((input) => `User ${input.user_id} is no longer in the server.`),
  },
  ban_member: { request: same("PUT", ban), told: done((input) => `User ${input.user_id} is banned.`) },
  unban_member: { request: same("DELETE", ban), told: done((input) => `User ${input.user_id} is no longer banned.`) },
};

import { createHash } from "node:crypto";
import { definedFields, ToolFailure, objectOf, type Json, type JsonObject } from "hermes-agent/plugin";
import { type ApiRequest } from "./discord-api.ts";
import { emojiOf, need, type ReadInput } from "./read-call.ts";

interface Deed {
  /** @param key Idempotency key of the call, so that nothing is sent twice. */
  request(input: ReadInput, key: string, now: number): ApiRequest;
  result(input: ReadInput, answer: Json): JsonObject;
}

const MAX_CHARS = 2_000;
const PUBLIC_THREAD = 11;
const TYPES: { readonly [name: string]: number } = { text: 0, voice: 2, category: 4, announcement: 5, forum: 15 };
/** Discord's maximum. */
const MAX_MINUTES = 28 * 24 * 60;

const done =
  (words: (input: ReadInput) => string): Deed["result"] =>
  (input) => ({ success: true, message: words(input) });
const at = (input: ReadInput): string => `/channels/${need(input, "channel_id")}/messages/${need(input, "message_id")}`;
const member = (input: ReadInput): string => `/guilds/${need(input, "guild_id")}/members/${need(input, "user_id")}`;
const role = (input: ReadInput): string => `${member(input)}/roles/${need(input, "role_id")}`;
const ban = (input: ReadInput): string => `/guilds/${need(input, "guild_id")}/bans/${need(input, "user_id")}`;
const same =
  (method: "PUT" | "DELETE", path: (input: ReadInput) => string): Deed["request"] =>
  (input) => ({ method, path: path(input), reason: input.reason, repeatable: true });

/** Requests of the changing actions, and their results for the model. */
export const DEEDS: { readonly [action: string]: Deed } = {
  send_message: {
    request(input, key) {
      const content = need(input, "message").trim();
      if (content.length > MAX_CHARS)
        throw new ToolFailure(
          "bad_arguments",
          `The message has ${content.length} characters; Discord allows ${MAX_CHARS}.`,
          { hint: "Send it in parts." },
        );
      const answers =
        input.message_id === undefined
          ? {}
          : { message_reference: { message_id: input.message_id, fail_if_not_exists: false } };
      // The nonce deduplicates. The message pings only users that it mentions.
      const nonce = createHash("sha256").update(key).digest("hex").slice(0, 25);
      return {
        method: "POST",
        path: `/channels/${need(input, "channel_id")}/messages`,
        body: { content, nonce, enforce_nonce: true, allowed_mentions: { parse: ["users"] }, ...answers },
        repeatable: true,
      };
    },
    result: (input, answer) => ({
      success: true,
      message_id: objectOf(answer)["id"] ?? null,
      channel_id: need(input, "channel_id"),
    }),
  },
  add_reaction: {
    request: same("PUT", (input) => `${at(input)}/reactions/${emojiOf(need(input, "emoji"))}/@me`),
    result: done((input) => `Reacted to message ${input.message_id}.`),
  },
  remove_reaction: {
    request: same("DELETE", (input) => `${at(input)}/reactions/${emojiOf(need(input, "emoji"))}/@me`),
    result: done((input) => `Reaction to message ${input.message_id} removed.`),
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
    result: ({ name }, answer) => ({ success: true, thread_id: objectOf(answer)["id"] ?? null, name: name ?? null }),
  },
  pin_message: {
    request: same("PUT", (input) => `/channels/${need(input, "channel_id")}/pins/${need(input, "message_id")}`),
    result: done((input) => `Message ${input.message_id} pinned.`),
  },
  unpin_message: {
    request: same("DELETE", (input) => `/channels/${need(input, "channel_id")}/pins/${need(input, "message_id")}`),
    result: done((input) => `Message ${input.message_id} unpinned.`),
  },
  delete_message: { request: same("DELETE", at), result: done((input) => `Message ${input.message_id} deleted.`) },
  create_channel: {
    request(input) {
      const type = TYPES[input.type ?? "text"];
      if (type === undefined)
        throw new ToolFailure("bad_arguments", `"${input.type}" is not a channel type.`, {
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
    result: ({ name }, answer) => ({ success: true, channel_id: objectOf(answer)["id"] ?? null, name: name ?? null }),
  },
  delete_channel: {
    request: same("DELETE", (input) => `/channels/${need(input, "channel_id")}`),
    result: done((input) => `Channel ${input.channel_id} deleted.`),
  },
  add_role: {
    request: same("PUT", role),
    result: done((input) => `Role ${input.role_id} added to user ${input.user_id}.`),
  },
  remove_role: {
    request: same("DELETE", role),
    result: done((input) => `Role ${input.role_id} removed from user ${input.user_id}.`),
  },
  timeout_member: {
    request(input, _, now) {
      const minutes = input.minutes!;
      if (!(minutes >= 0 && minutes <= MAX_MINUTES))
        throw new ToolFailure("bad_arguments", `minutes must be from 0 to ${MAX_MINUTES} (four weeks).`);
      return {
        method: "PATCH",
        path: member(input),
        body: { communication_disabled_until: minutes === 0 ? null : new Date(now + minutes * 60_000).toISOString() },
        reason: input.reason,
        repeatable: true,
      };
    },
    result: done((input) =>
      input.minutes === 0
        ? `Ended the timeout of user ${input.user_id}.`
        : `Timed out user ${input.user_id} for ${input.minutes} minutes.`,
    ),
  },
  kick_member: {
    request: same("DELETE", member),
    result: done((input) => `Kicked user ${input.user_id}.`),
  },
  ban_member: { request: same("PUT", ban), result: done((input) => `Banned user ${input.user_id}.`) },
  unban_member: { request: same("DELETE", ban), result: done((input) => `Unbanned user ${input.user_id}.`) },
};

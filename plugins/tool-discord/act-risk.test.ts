import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, type DiscordInput } from "./actions.ts";
import { reachOfAct, riskOfAct } from "./act-risk.ts";

const ID = "500000000000000001";
const HERE = { chat: { platform: "discord", chat_id: ID, thread_id: null } };
const WHOLE: Omit<DiscordInput, "action"> = {
  guild_id: ID,
  channel_id: ID,
  user_id: ID,
  role_id: ID,
  message_id: ID,
  message: "tea",
  name: "tea",
  query: "t",
  emoji: "👍",
  minutes: 5,
};

test("actions that remove something or grant rights ask; reading actions never ask and send nothing", () => {
  const asks = [...ACTIONS].flatMap(([action, { tool }]) =>
    riskOfAct(tool, { action, ...WHOLE }, "", {}) === undefined ? [] : [action],
  );
  assert.deepEqual(asks, [
    "send_message",
    "delete_message",
    "delete_channel",
    "add_role",
    "remove_role",
    "timeout_member",
    "kick_member",
    "ban_member",
    "unban_member",
  ]);
  const silent = [...ACTIONS].flatMap(([action, { tool }]) =>
    reachOfAct(tool, { action, ...WHOLE }, "", {}).length > 0 ? [] : [action],
  );
  assert.deepEqual(silent, [
    "fetch_messages",
    "search_members",
    "list_guilds",
    "server_info",
    "list_channels",
    "channel_info",
    "list_roles",
    "member_info",
    "list_pins",
  ]);
});

test("a message to the session's chat or its thread does not ask; one to another chat or platform does", () => {
  const send = { action: "send_message", ...WHOLE };
  assert.deepEqual([riskOfAct("discord", send, "", HERE), reachOfAct("discord", send, "", HERE)], [undefined, []]);
  assert.equal(
    riskOfAct("discord", send, "", { chat: { platform: "discord", chat_id: "1", thread_id: ID } }),
    undefined,
  );
  for (const chat of [
    { platform: "discord", chat_id: "1" },
    { platform: "irc", chat_id: ID },
  ])
    assert.equal(riskOfAct("discord", send, "", { chat })?.key, `message to discord:${ID}`);
  assert.deepEqual(reachOfAct("discord", send, "", {}), [{ kind: "send", what: "Discord, send_message: “tea”" }]);
  // Even there, the agent may not delete another user's message.
  assert.equal(
    riskOfAct("discord_admin", { action: "delete_message", ...WHOLE }, "", HERE)?.key,
    "discord delete_message",
  );
});

test("does not ask about a call that will be refused", () => {
  for (const given of [
    { action: "ban_member" },
    { action: "dance" },
    { action: "ban_member", ...WHOLE, user_id: "bob" },
  ])
    assert.deepEqual(
      [riskOfAct("discord_admin", given, "", {}), reachOfAct("discord_admin", given, "", {})],
      [undefined, []],
    );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { emojiOf, readCall } from "./read-call.ts";

const ID = "500000000000000001";

test("accepts IDs as numbers and mentions, and ignores parameters that the action does not use", () => {
  for (const given of [ID, ` ${ID} `, `<#${ID}>`, `<@${ID}>`, `<@!${ID}>`, `<@&${ID}>`])
    assert.equal(readCall("discord", { action: "fetch_messages", channel_id: given }, "").channel_id, ID);
  const { guild_id, message_id, before } = readCall(
    "discord",
    { action: "fetch_messages", channel_id: ID, guild_id: "nonsense", message_id: "../..", before: " " },
    undefined,
  );
  assert.deepEqual([guild_id, message_id, before], [undefined, undefined, undefined]);
  for (const given of ["general", "1", `${ID}/pins`, `<#${ID}`, `${ID}0000`, `${ID}\n`.repeat(2)])
    assert.throws(
      () => readCall("discord", { action: "fetch_messages", channel_id: given }, ""),
      /is not a Discord ID/,
      given,
    );
});

test("refuses an action of the other tool, a disallowed one and one without a required ID, and says what is allowed", () => {
  assert.throws(() => readCall("discord", { action: "ban_member" }, ""), /discord has no action "ban_member"/);
  assert.throws(() => readCall("discord", { action: "toString" }, ""), /no action "toString"/);
  assert.throws(
    () => readCall("discord_admin", { action: "ban_member" }, ["list_guilds"]),
    (thrown) =>
      /do not allow/.test((thrown as Error).message) &&
      (thrown as { readonly hint: string }).hint === "discord.server_actions allows: list_guilds.",
  );
  assert.throws(
    () => readCall("discord_admin", { action: "add_role", guild_id: ID, user_id: " " }, ""),
    /add_role needs user_id and role_id/,
  );
});

test("an emoji is a Unicode emoji or a custom one as name:id; any other text is refused", () => {
  for (const [given, wanted] of [
    ["👍", "👍"],
    ["👩‍🚀", "👩‍🚀"],
    ["🇩🇪", "🇩🇪"],
    ["1️⃣", "1️⃣"],
    ["❤️", "❤️"],
    [`tea:${ID}`, `tea:${ID}`],
    [`<:tea:${ID}>`, `tea:${ID}`],
    [`<a:tea:${ID}>`, `tea:${ID}`],
  ] as const)
    assert.equal(decodeURIComponent(emojiOf(given)), wanted, given);
  for (const given of ["", "x", "tea", "../@me", "👍/../x", "👍 👍", "1", ":tea:"])
    assert.throws(() => emojiOf(given), /is not an emoji/, given);
});

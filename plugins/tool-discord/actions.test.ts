import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIONS, allowedActions, manifestOf } from "./actions.ts";
import { DEEDS } from "./write-actions.ts";
import { LOOKS } from "./read-actions.ts";

test("every action either reads or changes something, and all harmful ones count as changes", () => {
  assert.deepEqual([...Object.keys(LOOKS), ...Object.keys(DEEDS)].toSorted(), [...ACTIONS.keys()].toSorted());
  for (const [action, { kind }] of ACTIONS) assert.equal(Object.hasOwn(LOOKS, action), kind === "reads", action);
});

test("the settings limit a tool's actions by a list or text; an empty setting allows all", () => {
  assert.deepEqual(allowedActions("discord", " send_message, nonsense,fetch_messages "), [
    "fetch_messages",
    "send_message",
  ]);
  assert.deepEqual(allowedActions("discord_admin", ["list_guilds", "send_message"]), ["list_guilds"]);
  assert.deepEqual(
    [
      allowedActions("discord", "").length,
      allowedActions("discord", undefined).length,
      allowedActions("discord_admin", []).length,
    ],
    [6, 6, 18],
  );
});

test("the tool description lists each action's required and optional parameters", () => {
  assert.equal(
    manifestOf(["send_message", "add_reaction"]),
    "send_message(channel_id, message, message_id?) message_id: replies to it; add_reaction(channel_id, message_id, emoji)",
  );
});

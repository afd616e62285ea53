import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { isShared, sessionKey } from "./session-key.ts";

const USUAL = { groupPerUser: true, threadPerUser: false };
const text = (more: Partial<PlatformMessage>): PlatformMessage => ({ text: "x", chat_id: "c", user_id: "u", ...more });

test("a direct chat has one conversation, and one for each of its threads", () => {
  assert.equal(sessionKey("telegram", text({}), USUAL), "agent:main:telegram:dm:c");
  assert.equal(sessionKey("telegram", text({ thread_id: "t" }), USUAL), "agent:main:telegram:dm:c:t");
  assert.equal(sessionKey("telegram", text({ chat_id: "" }), USUAL), "agent:main:telegram:dm:u");
  assert.equal(isShared(text({}), USUAL), false);
});

test("by default each group user has a conversation, and a thread shares one", () => {
  const group = text({ chat_type: "group" });
  const thread = text({ chat_type: "group", thread_id: "t" });
  assert.equal(sessionKey("irc", group, USUAL), "agent:main:irc:group:c:u");
  assert.equal(sessionKey("irc", group, { ...USUAL, groupPerUser: false }), "agent:main:irc:group:c");
  assert.equal(sessionKey("irc", thread, USUAL), "agent:main:irc:group:c:t");
  assert.equal(sessionKey("irc", thread, { ...USUAL, threadPerUser: true }), "agent:main:irc:group:c:t:u");
  assert.deepEqual(
    [isShared(group, USUAL), isShared(group, { ...USUAL, groupPerUser: false }), isShared(thread, USUAL)],
    [false, true, true],
  );
});

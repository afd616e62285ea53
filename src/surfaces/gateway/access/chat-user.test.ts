import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { whoseChat } from "./chat-user.ts";

const whose = (
  message: Partial<PlatformMessage>,
  variables: { readonly [name: string]: string },
  more: { readonly homeChannel?: string; readonly admins?: string; readonly paired?: readonly string[] } = {},
) =>
  whoseChat(
    { text: "", chat_id: "c7", user_id: "7", ...message },
    {
      name: "telegram",
      homeChannel: more.homeChannel,
      settings: { enabled: true, extra: more.admins === undefined ? {} : { allow_admin_from: more.admins } },
    },
    {
      platform: "telegram",
      variable: (name) => variables[name],
      paired: (user) => more.paired?.includes(user) === true,
      allPaired: () => more.paired ?? [],
    },
  );

test("a direct chat belongs to the owner for the only allowed user, in the home channel and for admins; otherwise to its user", () => {
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7" }), undefined);
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7", GATEWAY_ALLOWED_USERS: "7" }), undefined);
  assert.equal(whose({}, {}, { paired: ["7"] }), undefined);
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7,8" }), "telegram:7");
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7" }, { paired: ["8"] }), "telegram:7");
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7", GATEWAY_ALLOW_ALL_USERS: "true" }), "telegram:7");
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "*" }), "telegram:7");
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7,8" }, { homeChannel: "c7" }), undefined);
  assert.equal(
    whose({ chat_id: "c8", user_id: "8" }, { TELEGRAM_ALLOWED_USERS: "7,8" }, { homeChannel: "c7" }),
    "telegram:8",
  );
  assert.equal(whose({}, { TELEGRAM_ALLOWED_USERS: "7,8" }, { admins: "7" }), undefined);
  assert.equal(whose({ user_id: "8" }, { TELEGRAM_ALLOWED_USERS: "7,8" }, { admins: "7" }), "telegram:8");
});

test("a group belongs to no user, even if the owner writes there", () => {
  assert.equal(
    whose({ chat_id: "-5", chat_type: "group" }, { TELEGRAM_ALLOWED_USERS: "7" }, { admins: "7", homeChannel: "-5" }),
    "telegram:-5",
  );
});

test("a message without a user belongs to its chat", () => {
  assert.equal(whose({ user_id: "" }, { TELEGRAM_ALLOWED_USERS: "7" }), "telegram:c7");
});

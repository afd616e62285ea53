import assert from "node:assert/strict";
import { test } from "node:test";
import type { RegisteredPlatform } from "../../contract/services/gateway-service.ts";
import { destinationsOf } from "./delivery-targets.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const platform = (name: string, cron_deliver_env_var: string): RegisteredPlatform =>
  ({ name, data: { cron_deliver_env_var } }) as unknown as RegisteredPlatform;
const SERVICE = {
  platforms: () => [
    platform("slack", "SLACK_HOME_CHANNEL"),
    platform("telegram", "TELEGRAM_HOME_CHANNEL"),
    platform("matrix", "MATRIX_HOME_ROOM"),
  ],
  variable: (name: string) =>
    ({ TELEGRAM_HOME_CHANNEL: "-1", TELEGRAM_HOME_CHANNEL_THREAD_ID: "17", MATRIX_HOME_ROOM: "!r:s" })[name],
};
const ORIGIN = { platform: "telegram", chat_id: "7", thread_id: "9" };

// req: cron.deliver
test("a platform name alone means its home channel, in the thread that is set for it", () => {
  assert.deepEqual(destinationsOf("telegram", null, SERVICE), [{ platform: "telegram", chatId: "-1", threadId: "17" }]);
  assert.deepEqual(destinationsOf("Telegram", null, SERVICE), [{ platform: "telegram", chatId: "-1", threadId: "17" }]);
  assert.deepEqual(
    destinationsOf("telegram", ORIGIN, SERVICE),
    [{ platform: "telegram", chatId: "7", threadId: "9" }],
    "the chat that created the job takes precedence",
  );
  assert.deepEqual(withoutUndefined(destinationsOf("nosuch", null, SERVICE)), [{ platform: "nosuch" }]);
});

test("parses a platform with its chat and thread, and keeps a colon in a room name", () => {
  assert.deepEqual(destinationsOf("telegram:-100", ORIGIN, SERVICE), [{ platform: "telegram", chatId: "-100" }]);
  assert.deepEqual(destinationsOf("telegram:-100:17585", null, SERVICE), [
    { platform: "telegram", chatId: "-100", threadId: "17585" },
  ]);
  assert.deepEqual(destinationsOf("slack:C1:1700.12", null, SERVICE), [
    { platform: "slack", chatId: "C1", threadId: "1700.12" },
  ]);
  assert.deepEqual(destinationsOf("matrix:!room:server.org", null, SERVICE), [
    { platform: "matrix", chatId: "!room:server.org" },
  ]);
  assert.deepEqual(destinationsOf("sms:+15551234567", null, SERVICE), [{ platform: "sms", chatId: "+15551234567" }]);
});

test("origin means the requesting chat, else the first home channel; all means every home channel", () => {
  assert.deepEqual(destinationsOf("origin", ORIGIN, SERVICE), [{ platform: "telegram", chatId: "7", threadId: "9" }]);
  assert.deepEqual(destinationsOf("origin", null, SERVICE), [{ platform: "telegram", chatId: "-1", threadId: "17" }]);
  assert.deepEqual(withoutUndefined(destinationsOf("ALL", ORIGIN, SERVICE)), [
    { platform: "telegram", chatId: "-1", threadId: "17" },
    { platform: "matrix", chatId: "!r:s" },
  ]);
  assert.deepEqual(destinationsOf("all", null, { ...SERVICE, variable: () => undefined }), []);
});

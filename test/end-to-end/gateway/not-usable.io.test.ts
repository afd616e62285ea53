import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const examples = join(import.meta.dirname, "../../../examples/plugins");

/** What the four commands say, with spaces instead of line breaks. */
async function reports(user: NewUser) {
  const [gateway, status, doctor] = [
    await user.run(["gateway"]),
    await user.run(["gateway", "status"]),
    await user.run(["doctor"]),
  ];
  const plain = (text: string): string => text.replaceAll(/\s+/g, " ");
  return { gateway: plain(gateway.err), status: plain(status.out), doctor: plain(doctor.out), failed: doctor.status };
}

// field: C06
test("reports a platform and a memory provider without a plugin, and the command that fixes each", async () => {
  using user = new NewUser();
  user.write("~/.hermes/.env", "LINE_CHANNEL_ACCESS_TOKEN=token-0123456789\n");
  user.write(
    "~/.hermes/config.yaml",
    "platforms:\n  ntfy:\n    enabled: true\n  signal:\n    enabled: false\nmemory:\n  provider: mem0\n",
  );
  const { gateway, status, doctor, failed } = await reports(user);
  const ntfy =
    /no installed plugin provides it \(platforms\.ntfy\)\.? `?.*hermes plugins install SOURCE` adds a plugin for ntfy; `hermes config unset platforms\.ntfy` removes/;
  for (const text of [gateway, status, doctor]) {
    assert.match(text, ntfy);
    assert.match(text, /no installed plugin provides it \(LINE_CHANNEL_ACCESS_TOKEN\)/);
    assert.match(text, /memory provider mem0.*no installed plugin provides it.*`hermes memory off` uses none/);
    assert.doesNotMatch(text, /signal is not|chats\/signal|token-0123/i);
  }
  assert.match(gateway, /Ntfy is not served/);
  assert.match(status, /✗ Ntfy \(ntfy\): partly set up/);
  assert.match(doctor, /✗ chats\/ntfy/);
  assert.equal(failed, 1);
  assert.match((await user.run(["status"])).out, /mem0: no installed plugin provides it/);
  assert.match((await user.run(["memory"])).out, /mem0 \(not available: no installed plugin provides it/);
});

// field: C06
test("a token in the process environment configures no platform", async () => {
  using user = new NewUser({ LINE_CHANNEL_ACCESS_TOKEN: "token-0123456789" });
  const { status, doctor } = await reports(user);
  assert.doesNotMatch(doctor, /chats\/line/i);
  assert.doesNotMatch(status, /✗ Line/i);
});

// field: C06
test("gateway status lists every platform of the original and what each is missing", async () => {
  using user = new NewUser();
  const status = (await user.run(["gateway", "status"])).out;
  const names =
    "telegram discord slack whatsapp signal matrix mattermost email sms dingtalk feishu wecom wecom_callback weixin bluebubbles qqbot homeassistant webhook yuanbao teams api_server";
  for (const name of names.split(" ")) assert.match(status, new RegExp(`○ .*\\(${name}\\): not set up`), name);
  assert.match(status, /\(telegram\): not set up — TELEGRAM_BOT_TOKEN is not set/);
});

// field: C06
test("reports an installed but disabled plugin and a context engine without a plugin, with the command that fixes each", async () => {
  using user = new NewUser();
  cpSync(join(examples, "loopback-chat"), join(user.agentHome, "plugins/loopback-chat"), { recursive: true });
  user.write("~/.hermes/config.yaml", "platforms:\n  loopback-chat:\n    enabled: true\ncontext:\n  engine: lcm\n");
  const before = await reports(user);
  for (const text of [before.gateway, before.status, before.doctor]) {
    assert.match(text, /its plugin "loopback-chat" is not enabled.*`hermes plugins enable loopback-chat` enables it/);
    assert.match(text, /context engine lcm.*no installed plugin provides it.*hermes config unset context\.engine/);
  }
  assert.equal((await user.run(["plugins", "enable", "loopback-chat"])).status, 0);
  await user.run(["config", "unset", "context.engine"]);
  const after = await reports(user);
  assert.match(after.status, /Loopback chat \(loopback-chat\): partly set up — LOOPBACK_CHAT_PORT is not set/);
  assert.doesNotMatch(after.status, /context engine|not enabled/);
});

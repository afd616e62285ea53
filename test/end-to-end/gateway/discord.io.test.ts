import assert from "node:assert/strict";
import { test } from "node:test";
import { BOT, startDiscordServer, TOKEN } from "../../../plugins/platform-discord/test/discord-server.ts";
import { chatScene, gone } from "../support/chatting.ts";

test("Discord needs only its token: a mention of an allowed user is answered, another user is ignored", async () => {
  await using server = await startDiscordServer();
  await using scene = await chatScene([{ text: "Half past five." }], {
    env: {
      DISCORD_BOT_TOKEN: TOKEN,
      DISCORD_API_BASE_URL: server.url,
      DISCORD_ALLOWED_USERS: "701",
      HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: "0",
    },
  });
  const gateway = await scene.serve();
  const says = (user: string, content: string): void =>
    server.dispatch("MESSAGE_CREATE", {
      id: server.newId(),
      channel_id: "52",
      guild_id: "60",
      type: 0,
      author: { id: user, username: "someone" },
      content: `<@${BOT.id}> ${content}`,
      mentions: [BOT],
    });
  says("702", "let me in");
  says("701", "what time is it?");
  const { path, body } = await server.next(
    ({ method, path: at }) => method === "POST" && at === "/channels/52/messages",
  );
  assert.deepEqual([path, body["content"]], ["/channels/52/messages", "Half past five."]);
  assert.equal(scene.model.requests.length, 1);
  assert.match(scene.log(), /Refused a message on discord/);
  gateway.kill("SIGTERM");
  assert.equal(await gone(gateway), 0);
});

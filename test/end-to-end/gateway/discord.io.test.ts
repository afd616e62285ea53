import assert from "node:assert/strict";
import { test } from "node:test";
import { BOT, startDiscordServer, TOKEN } from "../../../plugins/platform-discord/test/discord-server.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { chatScene, gone } from "../support/chatting.ts";

test("Discord needs only its token; the bot answers an allowed user's mention and ignores other users", async () => {
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
  const says = speaker(server);
  says("702", "let me in");
  says("701", "what time is it?");
  const { path, body } = await server.next(
    ({ method, path: at }) => method === "POST" && at === "/channels/52/messages",
  );
  assert.deepEqual([path, body["content"]], ["/channels/52/messages", "Half past five."]);
  assert.equal(scene.model.requests.length, 1);
  assert.match(scene.log(), /Refused a message on discord/);
  server.askToReconnect();
  await waitFor(() => server.sessions.resumed === 1, { what: "the resumed session" });
  assert.equal(server.sessions.identified, 1);
  gateway.kill("SIGTERM");
  assert.equal(await gone(gateway), 0);
});

// req: platforms.batch-tuning
test("joins two quick Discord messages into one turn with a delay, and starts two turns with a delay of 0", async () => {
  for (const [delay, turns] of [
    ["1", 1],
    ["0", 2],
  ] as const) {
    await using server = await startDiscordServer();
    await using scene = await chatScene([{ text: "first" }, { text: "second" }], {
      env: {
        DISCORD_BOT_TOKEN: TOKEN,
        DISCORD_API_BASE_URL: server.url,
        DISCORD_ALLOWED_USERS: "701",
        HERMES_DISCORD_TEXT_BATCH_DELAY_SECONDS: delay,
      },
      config: "display:\n  busy_input_mode: queue\n",
    });
    await scene.serve();
    const says = speaker(server);
    says("701", "one");
    says("701", "two");
    const answered = (): Promise<unknown> =>
      server.next(({ method, path }) => method === "POST" && path === "/channels/52/messages");
    for (let turn = 0; turn < turns; turn++) await answered();
    assert.equal(scene.model.requests.length, turns);
    if (turns === 1) assert.match(scene.model.requests[0]!.body, /one\\ntwo/);
  }
});

function speaker(server: Awaited<ReturnType<typeof startDiscordServer>>) {
  return (user: string, content: string): void =>
    server.dispatch("MESSAGE_CREATE", {
      id: server.newId(),
      channel_id: "52",
      guild_id: "60",
      type: 0,
      author: { id: user, username: "someone" },
      content: `<@${BOT.id}> ${content}`,
      mentions: [BOT],
    });
}

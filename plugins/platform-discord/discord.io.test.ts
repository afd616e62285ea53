import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "hermes-agent/testing";
import { discordBench } from "./test/discord-bench.ts";
import { BOT, startDiscordServer } from "./test/discord-server.ts";
import { discordSettings } from "./settings.ts";

type Server = Awaited<ReturnType<typeof startDiscordServer>>;

function says(server: Server, content: string, more: { readonly [name: string]: unknown } = {}): void {
  server.dispatch("MESSAGE_CREATE", {
    id: server.newId(),
    channel_id: "52",
    guild_id: "60",
    type: 0,
    author: { id: "701", username: "ada" },
    content,
    mentions: [],
    ...more,
  });
}

// req: platforms.discord-split-delay
test("joins the parts of a split text for two seconds by default", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  const { delay_seconds, split_delay_seconds } = bench.platform.text_batch!;
  assert.deepEqual([delay_seconds, split_delay_seconds], [0.6, 2]);
});

test("resumes its session after a broken connection, and gets what it missed", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using _ = await bench.connected();
  server.cut();
  says(server, "missed", { channel_id: "51" });
  assert.deepEqual(await bench.texts(1), ["missed"]);
  assert.deepEqual(server.sessions, { identified: 1, resumed: 1 });
});

test("resumes its session when Discord asks it to connect again", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using _ = await bench.connected();
  server.askToReconnect();
  await waitFor(() => server.sessions.resumed === 1, { what: "the resumed session" });
  says(server, "hello", { channel_id: "51" });
  assert.deepEqual(await bench.texts(1), ["hello"]);
  assert.equal(server.sessions.identified, 1);
});

test("begins a new session when Discord says that the old one timed out", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using _ = await bench.connected();
  server.close(4009);
  await waitFor(() => server.sessions.identified === 2, { what: "a new session" });
  assert.equal(server.sessions.resumed, 0);
});

test("a close code that is final ends the platform with a reason", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using _ = await bench.connected();
  server.close(4014);
  await waitFor(() => bench.lost.length > 0, { what: "the loss" });
  assert.match(bench.lost[0]!, /Message Content Intent/);
  assert.equal(server.sessions.identified, 1);
});

test("sends heartbeats, and connects again when Discord does not answer them", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using _ = await bench.connected();
  await waitFor(() => server.heartbeats() > 2, { what: "heartbeats" });
  assert.equal(server.sessions.identified, 1);
  server.fallSilent(true);
  await waitFor(() => server.sessions.identified + server.sessions.resumed > 1, { what: "another connection" });
  server.fallSilent(false);
});

test("reads a message of a bot only if the settings allow it, and a pattern as a mention", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url, {
    env: { DISCORD_ALLOW_BOTS: "mentions", DISCORD_MENTION_PATTERNS: '["^hermes\\\\b"]' },
  });
  await using _ = await bench.connected();
  const bot = { id: "800", username: "other", bot: true };
  says(server, "hermes, beep", { author: bot });
  says(server, `<@${BOT.id}> boop`, { author: bot, mentions: [BOT] });
  says(server, "hermes, hello");
  says(server, "hermes, ask <@702>", { mentions: [{ id: "702" }] });
  says(server, "hermes joined", { type: 7 });
  says(server, "last", { channel_id: "51" });
  assert.deepEqual(await bench.texts(3), ["boop", "hermes, hello", "last"]);
});

test("a slash command reaches the gateway as text, and Discord gets its confirmation", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using _ = await bench.connected();
  server.dispatch("INTERACTION_CREATE", {
    id: "5",
    token: "t5",
    type: 2,
    channel_id: "17",
    guild_id: "60",
    member: { user: { id: "701" } },
    data: { name: "model", options: [{ name: "args", value: "fast" }] },
  });
  assert.deepEqual(await bench.texts(1), ["/model fast"]);
  const { chat_id, thread_id, user_id, message_id } = bench.received[0]!;
  assert.deepEqual([chat_id, thread_id, user_id, message_id], ["52", "17", "701", "interaction:5"]);
  const { body } = await server.next(({ path }) => path === "/interactions/5/t5/callback");
  assert.equal(body["type"], 4);
});

test("edits and reacts to messages of a thread in the thread; needs no mention where it takes part", async () => {
  await using server = await startDiscordServer();
  using bench = discordBench(server.url);
  await using adapter = await bench.connected();
  says(server, "not for you", { channel_id: "17" });
  says(server, `<@${BOT.id}> hello`, { channel_id: "17", mentions: [BOT] });
  await bench.texts(1);
  const { message_id = "", chat_id } = bench.received[0]!;
  await adapter.acknowledge!(chat_id, message_id, "working");
  await server.next(({ path }) => path.startsWith(`/channels/17/messages/${message_id}/reactions/`));
  const sent = await adapter.send(chat_id, "an answer", { metadata: { thread_id: "17" } });
  await adapter.edit_message!(chat_id, sent?.message_id ?? "", "another", {});
  await server.next(({ method, path }) => method === "PATCH" && path.startsWith("/channels/17/"));
  says(server, "and now?", { channel_id: "17" });
  assert.deepEqual(await bench.texts(2), ["hello", "and now?"]);
});

test("an answer notifies users and no role or @everyone, unless the settings allow it", () => {
  const of = (env: { readonly [name: string]: string }) => discordSettings((name) => env[name], {}).notifies;
  assert.deepEqual(of({}), { parse: ["users"], replied_user: true });
  assert.deepEqual(
    of({
      DISCORD_ALLOW_MENTION_EVERYONE: "true",
      DISCORD_ALLOW_MENTION_ROLES: "true",
      DISCORD_ALLOW_MENTION_USERS: "false",
      DISCORD_ALLOW_MENTION_REPLIED_USER: "false",
    }),
    { parse: ["everyone", "roles"], replied_user: false },
  );
});

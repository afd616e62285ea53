import assert from "node:assert/strict";
import { test } from "node:test";
import { waitFor } from "hermes-agent/testing";
import { mattermostBench } from "./test/mattermost-bench.ts";
import { startMattermostServer } from "./test/mattermost-server.ts";

const ADA = { user_id: "u-ada" };

test("resumes its connection by id after a broken one, and gets what it missed", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url);
  await using _ = await bench.connected();
  server.cut();
  server.write({ ...ADA, channel_id: "51", message: "missed" });
  assert.deepEqual(await bench.texts(1), ["missed"]);
  assert.deepEqual(server.sessions, { begun: 1, resumed: 1 });
});

test("reads the missed posts of all channels in order after a restart of the server, each once", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url);
  await using _ = await bench.connected();
  server.write({ ...ADA, channel_id: "51", message: "before" });
  await bench.texts(1);
  server.forget();
  server.cut();
  server.write({ ...ADA, channel_id: "41", message: "first" });
  server.write({ ...ADA, channel_id: "52", message: "not addressed" });
  server.write({ ...ADA, channel_id: "51", message: "second" });
  await waitFor(() => server.sessions.begun === 2, { what: "a new connection" });
  server.write({ ...ADA, channel_id: "51", message: "after" });
  assert.deepEqual(await bench.texts(4), ["before", "first", "second", "after"]);
  assert.equal(bench.received[1]!.chat_type, "dm");
});

test("reads what was written while the gateway was stopped", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url);
  const first = await bench.connected();
  server.write({ ...ADA, channel_id: "51", message: "before" });
  await bench.texts(1);
  await first.disconnect();
  server.write({ ...ADA, channel_id: "51", message: "meanwhile" });
  await using _ = await bench.connected();
  assert.deepEqual(await bench.texts(2), ["before", "meanwhile"]);
});

test("connects again and reads the missed posts when the server skips an event", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url);
  await using _ = await bench.connected();
  server.write({ ...ADA, channel_id: "51", message: "before" });
  await bench.texts(1);
  server.skip();
  server.write({ ...ADA, channel_id: "51", message: "after the gap" });
  assert.deepEqual(await bench.texts(2), ["before", "after the gap"]);
  assert.equal(server.sessions.begun, 2);
});

test("a revoked token ends the platform with a reason", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url);
  await using _ = await bench.connected();
  server.revoke();
  server.cut();
  await waitFor(() => bench.lost.length > 0, { what: "the loss" });
  assert.match(bench.lost[0]!, /rejects the access token/);
});

test("a mention is the bot's whole name; a pattern counts as one; system posts are ignored", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url, { env: { MATTERMOST_MENTION_PATTERNS: '["^hermes\\\\b"]' } });
  await using _ = await bench.connected();
  const team = (message: string, more = {}) => server.write({ ...ADA, channel_id: "52", message, ...more });
  team("@hermes2 hello");
  team("mail to me@hermes.example");
  team("ada joined @hermes", { type: "system_join_channel" });
  team("@hermes beep", { props: { from_webhook: "true" } });
  team("@Hermes, what time is it?");
  team("hermes, hello");
  assert.deepEqual(await bench.texts(2), ["what time is it?", "hermes, hello"]);
});

test("needs no mention in a thread in which it wrote before a restart", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url);
  const root = server.store({ ...ADA, channel_id: "52", message: "@hermes, a question" });
  server.store({ user_id: "botbot", channel_id: "52", message: "an answer", root_id: root.id });
  await using _ = await bench.connected();
  server.write({ ...ADA, channel_id: "52", message: "and now?", root_id: root.id });
  server.write({ ...ADA, channel_id: "52", message: "elsewhere", root_id: "17" });
  server.write({ ...ADA, channel_id: "51", message: "last" });
  assert.deepEqual(await bench.texts(2), ["and now?", "last"]);
  assert.deepEqual([bench.received[0]!.thread_id, bench.received[0]!.chat_type], [root.id, "thread"]);
});

test("answers in the channel by default, and in a thread of the message in the mode thread", async () => {
  for (const [mode, threaded] of [
    ["off", false],
    ["thread", true],
  ] as const) {
    await using server = await startMattermostServer();
    using bench = mattermostBench(server.url, { env: { MATTERMOST_REPLY_MODE: mode } });
    await using adapter = await bench.connected();
    const { id } = server.write({ ...ADA, channel_id: "52", message: "@hermes hello" });
    await bench.texts(1);
    const { thread_id, message_id } = bench.received[0]!;
    assert.equal(thread_id, threaded ? id : undefined);
    await adapter.send("52", "good morning", { reply_to: message_id });
    const { body } = await server.next(({ path, method }) => method === "POST" && path === "/posts");
    assert.equal(body["root_id"], threaded ? id : undefined);
  }
});

test("answers only in allowed channels; direct messages are exempt", async () => {
  await using server = await startMattermostServer();
  using bench = mattermostBench(server.url, { env: { MATTERMOST_ALLOWED_CHANNELS: "51" } });
  await using _ = await bench.connected();
  server.write({ ...ADA, channel_id: "52", message: "@hermes hello" });
  server.write({ ...ADA, channel_id: "41", message: " /status" });
  server.write({ ...ADA, channel_id: "51", message: "free" });
  assert.deepEqual(await bench.texts(2), ["/status", "free"]);
});

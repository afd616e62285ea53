import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { PlatformMessage } from "hermes-agent/plugin";
import { waitFor } from "hermes-agent/testing";
import { slackBench } from "./test/slack-bench.ts";
import { BOT, OTHER_TOKEN, startSlackServer } from "./test/slack-server.ts";

type Server = Awaited<ReturnType<typeof startSlackServer>>;

/** @returns the message's timestamp. */
function says(server: Server, text: string, more: { readonly [name: string]: unknown } = {}, team = "T1"): string {
  const ts = server.newTs();
  server.dispatch({ type: "message", channel: "C52", channel_type: "channel", ts, user: "U701", text, ...more }, team);
  return ts;
}

// req: platforms.slack-token-path
test("a tokens file with two workspaces connects both, and each answer goes to its workspace", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url, { env: { SLACK_BOT_TOKEN: "" } });
  const tokens = { T1: { token: "xoxb-bot-token-of-the-test" }, T2: { token: OTHER_TOKEN, team_name: "Boat house" } };
  writeFileSync(join(bench.home, "slack_tokens.json"), JSON.stringify(tokens));
  await using adapter = await bench.connected();
  says(server, `<@${BOT}> one`);
  says(server, `<@${BOT}> two`, { channel: "C61" }, "T2");
  says(server, `<@${BOT}> three`, { channel: "C71" }, "T3");
  says(server, `<@${BOT}> four`);
  assert.deepEqual(await bench.texts(3), ["one", "two", "four"]);
  assert.equal((await adapter.send("C61", "to the boats", {}))?.success, true);
  assert.equal((await server.next(({ method }) => method === "chat.postMessage")).team, "T2");
  assert.deepEqual(
    (await adapter.list_chats!()).map(({ name }) => name),
    ["Tea house #free", "Tea house #team", "Tea house @bob", "Boat house #boats"],
  );
  assert.equal(
    await bench.platform.test_connection?.({ enabled: true, extra: {} }),
    "@hermes in Tea house, @hermes in Boat house",
  );
});

test("finds the workspace of a channel from which no message came", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url, { env: { SLACK_BOT_TOKEN: `xoxb-bot-token-of-the-test, ${OTHER_TOKEN}` } });
  await using adapter = await bench.connected();
  assert.equal((await adapter.send("C61", "ahoy", {}))?.success, true);
  assert.equal((await server.next(({ method }) => method === "chat.postMessage")).team, "T2");
});

test("an invalid tokens file is an error that repeats no token", async () => {
  using bench = slackBench("http://127.0.0.1:1/api", { env: { SLACK_BOT_TOKEN: "" } });
  const path = join(bench.home, "slack_tokens.json");
  for (const text of ['{"T1": {"token": "xoxb-secret"', '{"T1": "xoxb-secret"}', '["xoxb-secret"]']) {
    writeFileSync(path, text);
    await assert.rejects(
      () => bench.connected(),
      ({ message }: Error) => message.includes("slack_tokens.json") && !message.includes("xoxb"),
    );
  }
});

test("one rejected token of several is reported, and the other workspace is served", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url, { env: { SLACK_BOT_TOKEN: `xoxb-old-one,${OTHER_TOKEN}` } });
  await using _ = await bench.connected();
  says(server, `<@${BOT}> hello`, { channel: "C61" }, "T2");
  assert.deepEqual(await bench.texts(1), ["hello"]);
});

test("connects again at once when Slack refreshes the connection, and loses nothing", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  for (const reason of ["warning", "refresh_requested"]) {
    const before = server.connections();
    server.disconnect(reason);
    says(server, reason, { channel: "C51" });
    await waitFor(() => server.connections() > before && server.live() === 1, { what: "the next connection" });
  }
  assert.deepEqual(await bench.texts(2), ["warning", "refresh_requested"]);
  await waitFor(() => server.unconfirmed() === 0, { what: "all confirmations" });
});

test("ends with a reason when Socket Mode is switched off", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  server.disconnect("link_disabled");
  await waitFor(() => bench.lost.length > 0, { what: "the loss" });
  assert.match(bench.lost[0]!, /Socket Mode is off/);
  assert.equal(server.connections(), 1);
});

test("confirms an event after the gateway stored it; one that was not stored comes again", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  const stored: PlatformMessage[] = [];
  const free = Promise.withResolvers<void>();
  let tries = 0;
  const adapter = await bench.platform.adapter_factory({
    enabled: true,
    extra: {},
    async message(message) {
      if (++tries === 1) throw new Error("the disk is full");
      await free.promise;
      stored.push(message);
    },
  });
  await adapter.connect({ is_reconnect: false });
  says(server, "keep this", { channel: "C51" });
  await waitFor(() => tries === 2, { what: "the second delivery" });
  assert.equal(server.unconfirmed(), 1);
  free.resolve();
  await waitFor(() => server.unconfirmed() === 0, { what: "the confirmation" });
  assert.deepEqual(
    stored.map(({ text }) => text),
    ["keep this"],
  );
  await adapter.disconnect();
});

test("answers a message of a channel in a thread on it, and needs no mention in that thread", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using adapter = await bench.connected();
  const ts = says(server, `<@${BOT}> hello`);
  await bench.texts(1);
  const { thread_id, chat_id, chat_type, user_name } = bench.received[0]!;
  assert.deepEqual([thread_id, chat_id, chat_type, user_name], [ts, "C52", "group", "ada"]);
  await adapter.send(chat_id, "an answer", { metadata: { thread_id: ts } });
  says(server, "and now?", { thread_ts: ts });
  says(server, "not for you");
  says(server, "nor this", { thread_ts: "1600000000.000009" });
  says(server, "last", { channel: "D41", channel_type: "im" });
  assert.deepEqual(await bench.texts(3), ["hello", "and now?", "last"]);
  assert.equal(bench.received[2]!.thread_id, undefined);
});

test("after a start, asks Slack whether the agent takes part in a thread", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  const thread_ts = "1600000000.000001";
  server.threads.set(thread_ts, [
    { ts: thread_ts, user: "U702", text: "a question" },
    { ts: "1600000000.000002", user: BOT, text: "an answer" },
  ]);
  says(server, "thank you", { thread_ts });
  assert.deepEqual(await bench.texts(1), ["thank you"]);
});

test("a mention in a thread of others brings what they wrote before, as untrusted content", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  const thread_ts = "1600000000.000001";
  server.threads.set(thread_ts, [
    { ts: thread_ts, user: "U702", text: "the build is red" },
    { ts: "1600000000.000002", user: "U701", text: "since &lt;noon&gt;" },
  ]);
  says(server, `<@${BOT}> why?`, { thread_ts });
  await bench.texts(1);
  const { reply_to_text, channel_context } = bench.received[0]!;
  assert.deepEqual([reply_to_text, channel_context], ["the build is red", "ada: since <noon>"]);
});

test("with strict mentions, a thread needs one for each message; without threads, answers go to the channel", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url, { env: { SLACK_STRICT_MENTION: "true" } });
  await using adapter = await bench.connected({ reply_in_thread: false });
  const ts = says(server, `<@${BOT}> hello`);
  await bench.texts(1);
  assert.equal(bench.received[0]!.thread_id, undefined);
  await adapter.send("C52", "yes?", { reply_to: ts });
  const { params } = await server.next(({ method }) => method === "chat.postMessage");
  assert.equal(params["thread_ts"], undefined);
  const mine = [...server.posted.keys()][0]!;
  says(server, "not read", { thread_ts: mine });
  says(server, `<@${BOT}> read`, { thread_ts: mine });
  assert.deepEqual(await bench.texts(2), ["hello", "read"]);
});

test("reads other bots, patterns, and only the allowed channels, as the settings say", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url, {
    env: {
      SLACK_ALLOW_BOTS: "mentions",
      SLACK_MENTION_PATTERNS: '["^hermes\\\\b"]',
      SLACK_ALLOWED_CHANNELS: "C52",
    },
  });
  await using _ = await bench.connected();
  says(server, "hermes, beep", { bot_id: "B7", subtype: "bot_message", user: undefined });
  says(server, `<@${BOT}> boop`, { bot_id: "B7", subtype: "bot_message", user: undefined });
  says(server, "hermes, hello");
  says(server, "ada joined", { subtype: "channel_join" });
  says(server, `<@${BOT}> elsewhere`, { channel: "C51" });
  says(server, "direct", { channel: "D41", channel_type: "im" });
  assert.deepEqual(await bench.texts(3), ["boop", "hermes, hello", "direct"]);
});

test("the preview of a link is no correction", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  const ts = says(server, "see <https://a.org>", { channel: "C51" });
  const message = { ts, user: "U701", text: "see <https://a.org>" };
  const change = { type: "message", subtype: "message_changed", channel: "C51", ts: server.newTs() };
  server.dispatch({ ...change, message: { ...message, attachments: [{ text: "A" }] }, previous_message: message });
  says(server, "last", { channel: "C51" });
  assert.deepEqual(await bench.texts(2), ["see https://a.org", "last"]);
});

test("/hermes takes a command, a question or nothing; Slack shows what was typed", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  const command = { team_id: "T1", channel_id: "D41", user_id: "U701", user_name: "ada" };
  server.command({ ...command, command: "/hermes", text: "new please", trigger_id: "1.1" });
  server.command({ ...command, command: "/hermes", text: "what time is it?", trigger_id: "1.2" });
  server.command({ ...command, command: "/hermes", text: "", trigger_id: "1.3" });
  server.command({ ...command, command: "/new", text: "", trigger_id: "1.4" });
  assert.deepEqual(await bench.texts(4), ["/new please", "what time is it?", "/help", "/new"]);
  const { chat_type, user_id, message_id } = bench.received[0]!;
  assert.deepEqual([chat_type, user_id, message_id], ["dm", "U701", "command:1.1"]);
  await waitFor(() => server.unconfirmed() === 0, { what: "the confirmations" });
  assert.deepEqual(server.confirmed[0]!["payload"], { response_type: "ephemeral", text: "/new please" });
});

test("a file without access is explained, and the token goes to no other server", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using _ = await bench.connected();
  const file = { id: "F1", name: "a.txt", mimetype: "text/plain" };
  const says1 = (more: object): string =>
    says(server, "look", { channel: "C51", subtype: "file_share", files: [{ ...file, ...more }] });
  says1({ url_private: "https://files.example.org/a.txt" });
  server.files.set("/files/f1", "<!DOCTYPE html><title>Sign in</title>");
  says1({ url_private: `${server.origin}/files/f1` });
  await bench.texts(2);
  assert.match(bench.received[0]!.text, /could not be downloaded: it is not on Slack's servers/);
  assert.match(bench.received[1]!.text, /needs the scope files:read/);
  server.files.set("/files/f1", "shared");
  says1({ file_access: "check_file_info" });
  await bench.texts(3);
  assert.equal(bench.received[2]!.media_urls?.length, 1);
});

test("opens a direct chat to write to a user", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using adapter = await bench.connected();
  assert.equal((await adapter.send("U702", "hello, bob", {}))?.success, true);
  const { params } = await server.next(({ method }) => method === "chat.postMessage");
  assert.equal(params["channel"], "D41");
});

test("an internal error of Slack leaves a send in doubt, and a missing scope is named", async () => {
  await using server = await startSlackServer();
  using bench = slackBench(server.url);
  await using adapter = await bench.connected();
  server.misbehave((reply) => void reply.end(JSON.stringify({ ok: false, error: "internal_error" })));
  await assert.rejects(async () => adapter.send("C51", "perhaps", {}), { name: "TimeoutError" });
  const refusal = { ok: false, error: "missing_scope", needed: "chat:write", provided: "" };
  server.misbehave((reply) => void reply.end(JSON.stringify(refusal)));
  const sent = await adapter.send("C51", "no", {});
  assert.match(sent?.error ?? "", /missing_scope \(the app needs the scope chat:write\)/);
});

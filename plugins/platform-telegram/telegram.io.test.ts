import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { test } from "node:test";
import type { PlatformMessage } from "hermes-agent/plugin";
import { startBotServer, TOKEN } from "./test/bot-server.ts";
import { telegramBench } from "./test/telegram-bench.ts";
import { definedFields } from "hermes-agent/plugin";
import { withoutUndefined, withTimeout } from "hermes-agent/testing";

const connect = { is_reconnect: false };

test("confirms stored updates, so that the next process does not get them; updates that were not stored come again", async () => {
  await using server = await startBotServer();
  let failing = true;
  const saved: string[] = [];
  const done = Promise.withResolvers<void>();
  const message = async ({ text }: PlatformMessage): Promise<void> => {
    if (failing) {
      failing = false;
      throw new Error("the disk is full");
    }
    if (saved.push(text) === 2) done.resolve();
  };
  await using first = await telegramBench(server.url, { config: { message } });
  await first.adapter.connect(connect);
  server.write({ text: "one" }, { text: "/two" });
  await withTimeout(done.promise, { what: "the bot handles both updates" });
  assert.deepEqual(saved, ["one", "/two"]);
  await first.adapter.disconnect();

  await using second = await telegramBench(server.url, { stored: first.stored });
  await second.adapter.connect(connect);
  server.write({ text: "three" });
  assert.equal((await second.nextMessage()).text, "three");
  assert.match(first.log.lines.map((line) => line.message).join("\n"), /the disk is full/);
});

test("retries after a conflict, an error, a rate limit or a disconnect, and logs no token", async () => {
  await using server = await startBotServer();
  server.mishap(
    "getUpdates",
    [
      409,
      {
        ok: false,
        description: `Conflict: terminated by other getUpdates request of ${TOKEN}`,
        parameters: { retry_after: 0 },
      },
    ],
    [502, "<html>"],
    "drop",
    "half",
    [429, { ok: false, description: "Too Many Requests", parameters: { retry_after: 0 } }],
  );
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  server.write({ text: "through" });
  assert.equal((await bench.nextMessage()).text, "through");
  const lines = bench.log.lines.map((line) => JSON.stringify(line)).join("\n");
  assert.match(lines, /Another program polls this bot's updates/);
  assert.match(lines, /answered getUpdates with status 502/);
  assert.ok(!lines.includes(TOKEN.slice(10)), lines);
});

test("reports an unknown or revoked token with its variable", async () => {
  await using server = await startBotServer();
  await using wrong = await telegramBench(server.url, { env: { TELEGRAM_BOT_TOKEN: "1:wrong" } });
  await assert.rejects(async () => wrong.adapter.connect(connect), {
    name: "UserError",
    message: "Telegram rejects the bot token.",
    hint: /TELEGRAM_BOT_TOKEN/,
  });
  const lost = Promise.withResolvers<string>();
  await using bench = await telegramBench(server.url, { config: { lost: lost.resolve } });
  server.mishap("getUpdates", [401, { ok: false, description: "Unauthorized" }]);
  await bench.adapter.connect(connect);
  assert.match(
    await withTimeout(lost.promise, { what: "the connection is reported as lost" }),
    /refused getUpdates: Unauthorized/,
  );
  assert.equal((await bench.adapter.send("7", "hi", {}))?.retryable, true);
  assert.equal(await bench.adapter.connect({ is_reconnect: true }), true);
});

test("replies in the topic; falls back to plain text if markup is refused; respects rate limits", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  server.mishap(
    "sendMessage",
    [429, { ok: false, description: "Too Many Requests: retry after 0", parameters: { retry_after: 0 } }],
    [400, { ok: false, description: "Bad Request: can't parse entities: unclosed tag" }],
  );
  assert.deepEqual(await bench.adapter.send("-5", "**bold** <", { reply_to: "42", metadata: { thread_id: "12" } }), {
    success: true,
    message_id: "1001",
  });
  const question = { reply_parameters: { message_id: 42, allow_sending_without_reply: true }, message_thread_id: 12 };
  assert.deepEqual(
    server.of("sendMessage").map(({ params }) => params),
    [
      { chat_id: "-5", ...question, text: "<b>bold</b> &lt;", parse_mode: "HTML" },
      { chat_id: "-5", ...question, text: "<b>bold</b> &lt;", parse_mode: "HTML" },
      { chat_id: "-5", ...question, text: "**bold** <" },
    ],
  );
  assert.equal((await bench.adapter.edit_message?.("-5", "1001", "new"))?.success, true);
  assert.deepEqual(server.of("editMessageText")[0]?.params, {
    chat_id: "-5",
    message_id: 1001,
    text: "new",
    parse_mode: "HTML",
  });
  assert.deepEqual(await bench.adapter.get_chat_info?.("-5"), { name: "Tea", type: "supergroup" });
});

test("sends a file as its media type with a caption, or as a document if Telegram refuses that", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  const at = (name: string): string => {
    const path = join(bench.home, name);
    writeFileSync(path, name);
    return path;
  };
  const { adapter } = bench;
  const options = { caption: "**see** <", metadata: { thread_id: "12" }, reply_to: "42" };
  server.mishap("sendVideo", [400, { ok: false, description: "Bad Request: wrong type of the web page content" }]);
  const sent = [
    await adapter.send_image_file?.("7", at("a.png"), options),
    await adapter.send_image_file?.("7", at("a.gif"), {}),
    await adapter.send_voice?.("7", at("a.ogg"), {}),
    await adapter.send_document?.("7", at("a.mp3"), {}),
    await adapter.send_video?.("7", at("a.mp4"), { file_name: "film.mp4" }),
    await adapter.send_document?.("7", at("a.pdf"), {}),
  ];
  assert.ok(
    sent.every((result) => result?.success === true && result.message_id !== undefined),
    JSON.stringify(sent),
  );
  const asked = server.asked.filter(({ method }) => method.startsWith("send"));
  assert.deepEqual(
    asked.map(({ method }) => method),
    ["sendPhoto", "sendAnimation", "sendVoice", "sendAudio", "sendVideo", "sendDocument", "sendDocument"],
  );
  assert.deepEqual(asked[0]?.params, {
    chat_id: "7",
    message_thread_id: "12",
    reply_parameters: '{"message_id":42,"allow_sending_without_reply":true}',
    caption: "<b>see</b> &lt;",
    parse_mode: "HTML",
    photo: { name: "a.png", bytes: "a.png" },
  });
  assert.deepEqual(asked[5]?.params["document"], { name: "film.mp4", bytes: "a.mp4" });
  server.mishap("sendVoice", "drop");
  await assert.rejects(async () => adapter.send_voice?.("7", at("a.ogg"), {}), { name: "TimeoutError" });
});

test("an edit waits for a rate limit only if it is the last; an edit without a change succeeds", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  const busy = [429, { ok: false, description: "Too Many Requests", parameters: { retry_after: 7 } }] as const;
  server.mishap("editMessageText", busy, busy, [
    400,
    { ok: false, description: "Bad Request: message is not modified: specified new message content" },
  ]);
  const soon = await bench.adapter.edit_message?.("7", "1001", "half", { finalize: false });
  assert.deepEqual([soon?.success, soon?.retryable, soon?.retry_after], [false, true, 7]);
  assert.deepEqual(await bench.adapter.edit_message?.("7", "1001", "whole"), { success: true, message_id: "1001" });
  assert.equal(server.of("editMessageText").length, 3);
});

test("reports a send as refused, retryable or of unknown outcome", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  const send = async () => bench.adapter.send("7", "hi", {});
  server.mishap(
    "sendMessage",
    [403, { ok: false, description: "Forbidden: bot was blocked by the user" }],
    [500, {}],
    "drop",
  );
  const output = [await send(), await send()].map((result) => [result?.success, result?.retryable]);
  assert.deepEqual(output, [
    [false, false],
    [false, true],
  ]);
  await assert.rejects(
    send,
    (error: Error) => error.name === "TimeoutError" && !error.message.includes(TOKEN.slice(10)),
  );
  assert.equal((await send())?.success, true);
  const hour = [429, { ok: false, description: "Too Many Requests", parameters: { retry_after: 3_600 } }] as const;
  server.mishap("sendMessage", hour);
  assert.deepEqual([(await send())?.retry_after, (await send())?.retryable], [3_600, true]);
  // The second send did not ask the service again.
  assert.equal(server.of("sendMessage").length, 5);
});

// field: S10
test("a send with an unreadable answer has an unknown outcome; one confirmed without a message ID does not", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  const send = async () => bench.adapter.send("7", "hi", {});
  const unread = ['{"ok":true,"result":{"message_', "", "<html><h1>It works</h1></html>", "{}", "[]"];
  server.mishap("sendMessage", ...unread.map((text) => ({ status: 200, text })), { status: 504, text: "<html>" });
  for (const text of [...unread, "status 504"])
    await assert.rejects(send, (error: Error) => error.name === "TimeoutError", text);
  server.mishap("sendDocument", { status: 200, text: '{"ok":tr' });
  const file = join(bench.home, "notes.txt");
  writeFileSync(file, "notes");
  await assert.rejects(
    async () => bench.adapter.send_document?.("7", file, {}),
    (error: Error) => error.name === "TimeoutError",
  );
  server.mishap("sendMessage", { status: 503, text: "<html>" }, { status: 200, text: '{"ok":true}' });
  assert.deepEqual([(await send())?.retryable, (await send())?.success], [true, true]);
});

// field: S11
test("skips and logs malformed updates, and receives the others of the batch", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  const chat = { id: 7, type: "private" } as const;
  const from = { id: 7, first_name: "Ada" };
  const broken: readonly unknown[] = [
    { message_id: 1, date: 1, from, text: "no chat" },
    { message_id: 2, date: 1, chat: { type: "private" }, from, text: "no chat id" },
    { date: 1, chat, from, text: "no message id" },
    { message_id: 3, date: 1, chat, from, text: 7 },
    { message_id: 4, date: 1, chat, from, photo: "not a list" },
    { message_id: 5, date: 1, chat, from, text: "hi", entities: [null] },
    { message_id: 6, date: 1, chat, from, text: "hi", reply_to_message: "gone" },
    "a text",
    null,
  ];
  server.give({ update_id: 100 });
  for (const [index, message] of broken.entries()) server.give({ update_id: 101 + index, message } as never);
  server.give({ update_id: 200, callback_query: { id: "cb", from, data: "x", message: { message_id: 1 } } } as never);
  server.give({ update_id: 201, callback_query: { data: "x" } } as never);
  server.write({ text: "still here" });
  await bench.adapter.connect(connect);
  assert.equal((await bench.nextMessage()).text, "still here");
  server.write({ text: "and after" });
  assert.equal((await bench.nextMessage()).text, "and after");
  const skipped = bench.log.lines.filter(({ message }) => message.startsWith("Skipped a malformed update"));
  assert.equal(skipped.length, broken.length + 2);
  assert.deepEqual(
    bench.log.lines.filter(({ message }) => message.startsWith("Cannot get updates")),
    [],
  );
});

test("the bot's menu shows commands with descriptions, and a choice runs the command", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url, {
    config: {
      commands: () => [
        { name: "new", description: "start anew" },
        { name: "scan-host", description: "look at a host" },
      ],
    },
  });
  await bench.adapter.connect(connect);
  assert.deepEqual(server.of("setMyCommands")[0]?.params, {
    commands: [
      { command: "new", description: "start anew" },
      { command: "scan_host", description: "look at a host" },
    ],
  });
  server.write({
    text: "/scan_host@tea_bot 10.0.0.1",
    entities: [{ type: "bot_command", offset: 0, length: 18 }],
    chat: { id: -5, type: "group" },
  });
  assert.equal((await bench.nextMessage()).text, "/scan-host 10.0.0.1");
  server.write({ text: "/start from-a-link" });
  assert.equal((await bench.nextMessage()).text, "/help");
});

test("downloads files of allowed users under safe names, and none of unknown users", async () => {
  await using server = await startBotServer();
  server.files.set("files/f1", Buffer.from("tea"));
  await using bench = await telegramBench(server.url, { config: { welcome: ({ user_id }) => user_id === "7" } });
  await bench.adapter.connect(connect);
  const document = { file_id: "f1", file_unique_id: "u1", file_name: "../../etc/pass wd.txt" };
  server.write(
    { caption: "look", document },
    { text: "/between" },
    { document: { ...document, file_id: "gone" } },
    { caption: "mine", document, from: { id: 8 } },
  );
  const first = await bench.nextMessage();
  assert.equal(first.text, "look");
  assert.deepEqual(
    first.media_urls?.map((path) => relative(bench.home, path)),
    ["cache/documents/telegram_u1_pass_wd.txt"],
  );
  assert.equal(readFileSync(first.media_urls![0]!, "utf8"), "tea");
  assert.equal((await bench.nextMessage()).text, "/between");
  assert.match((await bench.nextMessage()).text, /^\[Attached file that could not be downloaded: .*status 404\]$/);
  assert.deepEqual(
    [await bench.nextMessage()].map(({ text, user_id, media_urls }) => [text, user_id, media_urls]),
    [["mine", "8", undefined]],
  );
});

test("shows buttons under a message and reports each press once with its user", async () => {
  await using server = await startBotServer();
  await using bench = await telegramBench(server.url);
  await bench.adapter.connect(connect);
  await bench.adapter.send("-5", "May I?", {
    metadata: {
      buttons: [
        { label: "once", data: "q1:once" },
        { label: "deny", data: "q1:deny" },
      ],
    },
  });
  assert.deepEqual(server.of("sendMessage")[0]?.params["reply_markup"], {
    inline_keyboard: [[{ text: "once", callback_data: "q1:once" }], [{ text: "deny", callback_data: "q1:deny" }]],
  });
  server.mishap("answerCallbackQuery", [400, { ok: false, description: "Bad Request: query is too old" }]);
  server.press(9, { id: -5, type: "supergroup", title: "Tea" }, "q1:once");
  const { message_id, ...pressed } = await bench.nextMessage();
  assert.deepEqual(withoutUndefined(pressed), {
    text: "",
    chat_id: "-5",
    chat_type: "group",
    chat_name: "Tea",
    user_id: "9",
    user_name: "P",
    pressed: "q1:once",
  });
  assert.match(message_id!, /^pressed:cb\d+$/);
  server.write({ text: "and on" });
  assert.equal((await bench.nextMessage()).text, "and on");
  assert.equal(server.of("answerCallbackQuery").length, 1);
});

// req: platforms.telegram-webhook-secret
test("accepts webhook updates only with the secret, and acknowledges them when stored", async () => {
  await using server = await startBotServer();
  const port = await freePort();
  const env = {
    TELEGRAM_WEBHOOK_URL: "https://bot.example.org/hook",
    TELEGRAM_WEBHOOK_SECRET: "sesame-1",
    TELEGRAM_WEBHOOK_PORT: String(port),
  };
  let failing = true;
  const received: string[] = [];
  const message = async ({ text }: PlatformMessage): Promise<void> => {
    if (failing) throw new Error("the disk is full");
    received.push(text);
  };
  await using bench = await telegramBench(server.url, { env, config: { message } });
  await bench.adapter.connect(connect);
  assert.deepEqual(server.of("setWebhook")[0]?.params, {
    url: "https://bot.example.org/hook",
    secret_token: "sesame-1",
    allowed_updates: ["message", "edited_message", "callback_query"],
    max_connections: 1,
    drop_pending_updates: false,
  });
  assert.deepEqual(server.of("getUpdates"), []);
  const update = JSON.stringify({
    update_id: 1,
    message: { message_id: 1, date: 1, chat: { id: 7, type: "private" }, from: { id: 7 }, text: "hello" },
  });
  const post = async (secret: string | undefined, body = update, path = "/hook"): Promise<number> =>
    (
      await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        body,
        headers: definedFields({
          connection: "close",
          "x-telegram-bot-api-secret-token": secret,
        }),
      })
    ).status;
  assert.deepEqual(
    [
      await post("sesame-2"),
      await post(undefined),
      await post("sesame-1", update, "/other"),
      await post("sesame-1", "no json"),
    ],
    [401, 401, 404, 400],
  );
  assert.equal(await post("sesame-1"), 500);
  failing = false;
  assert.equal(await post("sesame-1"), 200);
  // Telegram would send a refused update again and again.
  assert.equal(await post("sesame-1", JSON.stringify({ update_id: 2, message: { text: "no chat" } })), 200);
  assert.deepEqual(received, ["hello"]);
  await bench.adapter.disconnect();
  await assert.rejects(post("sesame-1"));
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

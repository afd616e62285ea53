import assert from "node:assert/strict";
import { test } from "node:test";
import { startBotServer, TOKEN } from "../../../plugins/platform-telegram/test/bot-server.ts";
import { chatScene, gone } from "../support/chatting.ts";

const CONFIG = "streaming:\n  enabled: true\n  edit_interval: 0.2\n";
const LONG = Array.from({ length: 12 }, (_, line) => `Line ${line} of an answer that takes its time.`).join("\n");

test("streams an answer into one message, which ends with the whole text and no cursor", async () => {
  await using scene = await chatScene(
    [{ text: LONG, betweenMs: 15 }, { text: "NO_REPLY", betweenMs: 60, deltaChars: 2 }, { text: "Short." }],
    { config: CONFIG },
  );
  const { chat } = scene;
  await scene.serve();
  await chat.write("room", "ada", "tell me");
  await chat.until(() => chat.shown("room").includes(LONG));
  assert.deepEqual(chat.shown("room"), [LONG]);
  const halves = chat.seen.slice(0, -1).map(({ text }) => text);
  assert.ok(
    halves.length >= 2 && halves.every((half) => half.endsWith(" ▉") && LONG.startsWith(half.slice(0, -2).trimEnd())),
    halves.join("\n---\n"),
  );
  await chat.write("room", "ada", "say nothing");
  await chat.write("room", "ada", "now something");
  await chat.until(() => chat.shown("room").includes("Short."));
  assert.deepEqual(chat.shown("room"), [LONG, "Short."]);
});

test("after a kill during an answer the next gateway completes the same message, without duplicates", async () => {
  await using scene = await chatScene(
    (_, number) =>
      number === 1 ? { text: LONG, betweenMs: 60, stallAfterBytes: 12_000 } : { text: "The whole answer, at last." },
    { config: CONFIG },
  );
  const { chat, model } = scene;
  const first = await scene.serve();
  await chat.write("room", "ada", "tell me", "m1");
  // The gateway has recorded the message by its first edit; the answer is still streaming.
  await chat.until(() => chat.seen.some(({ edit }) => edit !== undefined));
  first.kill("SIGKILL");
  await gone(first);
  await scene.serve();
  await chat.until(() => chat.seen.some(({ text }) => text.includes("at last")));
  assert.deepEqual(chat.shown("room"), ["The whole answer, at last."]);
  assert.equal(model.requests.length, 2);
});

test("respects a rate limit of Telegram, and still sends the whole answer once", async () => {
  await using server = await startBotServer();
  const config = `security:\n  allow_private_urls: true\nplatforms:\n  telegram:\n    extra:\n      base_url: ${server.url}\ndisplay:\n  platforms:\n    telegram:\n      streaming: true\n`;
  await using scene = await chatScene([{ text: LONG, betweenMs: 30 }], {
    config,
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7" },
  });
  server.mishap("editMessageText", [
    429,
    { ok: false, description: "Too Many Requests: retry after 1", parameters: { retry_after: 1 } },
  ]);
  await scene.serve();
  server.write({ text: "tell me" });
  const texts: string[] = [];
  while (texts.at(-1) !== LONG) texts.push(String((await server.sent()).params["text"]));
  assert.equal(server.of("sendMessage").length, 1);
  assert.ok(server.of("editMessageText").every(({ params }) => params["message_id"] === 1_001));
  assert.ok(texts.length > 1, "it was shown before it was whole");
});

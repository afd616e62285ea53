import assert from "node:assert/strict";
import { test } from "node:test";
import { commandMenu } from "./command-menu.ts";
import type { MentionRules } from "hermes-agent/platform";
import { meantFor } from "./meant-for.ts";
import { telegramSettings } from "./settings.ts";
import type { Message } from "./telegram-types.ts";
import { toHtml } from "./to-html.ts";
import { toMessage } from "./to-message.ts";
import { withoutUndefined } from "hermes-agent/testing";

const bot = { id: 1, username: "tea_bot" };
const OPEN: MentionRules = { allowedChats: [], requireMention: false, freeChats: [], patterns: [] };

function message(given: Partial<Message>): Message {
  const { text = "" } = given;
  const mentions = [...text.matchAll(/@\w+/g)].map(({ index, 0: { length } }) => ({
    type: "mention",
    offset: index,
    length,
  }));
  return {
    message_id: 1,
    date: 100,
    chat: { id: -5, type: "supergroup", title: "Tea" },
    from: { id: 7, first_name: "Ada" },
    entities: mentions,
    ...given,
  };
}

test("accepts every private message, group messages by the rules, and none for or from another bot", () => {
  const strict: MentionRules = { ...OPEN, requireMention: true, patterns: [/\bkettle\b/i] };
  const command = { text: "/new@tea_bot now", entities: [{ type: "bot_command", offset: 0, length: 12 }] };
  const cases: readonly (readonly [Partial<Message>, MentionRules, string | undefined])[] = [
    [{ chat: { id: 7, type: "private" }, text: "hi" }, strict, "hi"],
    [{ text: "hi" }, OPEN, "hi"],
    [{ text: "hi" }, strict, undefined],
    [{ text: "@tea_bot hi" }, strict, "hi"],
    [{ text: "hi, @Tea_Bot: now" }, strict, "hi, now"],
    [{ text: "hi", reply_to_message: message({ from: { id: 1, is_bot: true } }) }, strict, "hi"],
    [{ text: "The Kettle boils" }, strict, "The Kettle boils"],
    [command, strict, "/new now"],
    [{ text: "@coffee_bot hi" }, OPEN, undefined],
    [{ text: "@coffee_bot and @tea_bot" }, OPEN, "@coffee_bot and"],
    [{ text: "@grace hi" }, OPEN, "@grace hi"],
    [{ text: "hi" }, { ...strict, freeChats: ["-5"] }, "hi"],
    [{ text: "@tea_bot hi" }, { ...OPEN, allowedChats: ["-6"] }, undefined],
    [{ text: "@tea_bot hi", from: { id: 9, is_bot: true } }, OPEN, undefined],
    [{ text: "news", chat: { id: -9, type: "channel" } }, OPEN, undefined],
  ];
  for (const [given, rules, wanted] of cases)
    assert.equal(meantFor(bot, message(given), rules), wanted, JSON.stringify(given));
});

test("converts Markdown to Telegram HTML and escapes HTML in the text", () => {
  assert.equal(
    toHtml(
      '# Tea & <cake>\n**bold** and *leaning* and `a < b **c**`, [site](https://example.org/?a=1&b="2")\n- one\n> said\n> twice\nrest\n```ts\nif (a && b) {}\n```\nsnake_case_name 2 * 3 * 4 ~~gone~~',
    ),
    '<b>Tea &amp; &lt;cake&gt;</b>\n<b>bold</b> and <i>leaning</i> and <code>a &lt; b **c**</code>, <a href="https://example.org/?a=1&amp;b=&quot;2&quot;">site</a>\n• one\n<blockquote>said\ntwice</blockquote>\nrest\n<pre><code class="language-ts">if (a &amp;&amp; b) {}</code></pre>\nsnake_case_name 2 * 3 * 4 <s>gone</s>',
  );
  assert.equal(toHtml("```\nnever closed <"), "<pre><code>never closed &lt;</code></pre>");
  assert.equal(toHtml("\u00000\u0000 [x](javascript:alert)"), "0 [x](javascript:alert)");
});

test("the menu has valid command names without duplicates", () => {
  const long = "x".repeat(33);
  const menu = commandMenu([
    { name: "new", description: "start anew" },
    { name: "Set-Home", description: " here " },
    { name: "set_home", description: "twice" },
    { name: "2fast", description: "d" },
    { name: long, description: "d" },
    { name: "bare", description: "" },
    { name: "wordy", description: "d".repeat(300) },
  ]);
  assert.deepEqual(menu, [
    { command: "new", description: "start anew" },
    { command: "set_home", description: "here" },
    { command: "bare", description: "bare" },
    { command: "wordy", description: "d".repeat(256) },
  ]);
  assert.equal(commandMenu(Array.from({ length: 200 }, (_, at) => ({ name: `c${at}`, description: "d" }))).length, 100);
});

// req: platforms.telegram-webhook-secret
test("refuses a webhook without a secret, an invalid secret and invalid patterns by name", () => {
  const of = (env: Readonly<Record<string, string>>) => telegramSettings((name) => env[name], {});
  assert.throws(() => of({ TELEGRAM_WEBHOOK_URL: "https://example.org/hook" }), {
    name: "UserError",
    message: /TELEGRAM_WEBHOOK_URL is set without TELEGRAM_WEBHOOK_SECRET/,
  });
  assert.throws(
    () => of({ TELEGRAM_WEBHOOK_URL: "https://example.org/hook", TELEGRAM_WEBHOOK_SECRET: "a b" }),
    /characters that Telegram does not accept/,
  );
  assert.throws(() => of({ TELEGRAM_MENTION_PATTERNS: "kettle" }), /TELEGRAM_MENTION_PATTERNS is invalid/);
  assert.deepEqual(of({ TELEGRAM_WEBHOOK_URL: "https://example.org/hook", TELEGRAM_WEBHOOK_SECRET: "s-1" }).webhook, {
    url: "https://example.org/hook",
    secret: "s-1",
    port: 8443,
  });
});

test("a message contains its topic, its author and the message it replies to, except the bot's own", () => {
  const output = { text: "hi" };
  const inTopic = message({
    message_thread_id: 12,
    is_topic_message: true,
    reply_to_message: message({ text: "before" }),
    from: { id: 7, username: "ada" },
  });
  assert.deepEqual(withoutUndefined(toMessage(inTopic, output, bot)), {
    text: "hi",
    chat_id: "-5",
    chat_type: "group",
    chat_name: "Tea",
    user_id: "7",
    user_name: "ada",
    thread_id: "12",
    message_id: "1",
    reply_to_text: "before",
  });
  const general = message({
    message_thread_id: 1,
    is_topic_message: true,
    reply_to_message: message({ text: "mine", from: { id: 1, is_bot: true } }),
    location: { latitude: 1.5, longitude: 2 },
  });
  assert.deepEqual(withoutUndefined(toMessage(general, output, bot)), {
    text: "hi\n[Location: 1.5, 2]",
    chat_id: "-5",
    chat_type: "group",
    chat_name: "Tea",
    user_id: "7",
    user_name: "Ada",
    message_id: "1",
  });
});

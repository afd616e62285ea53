import assert from "node:assert/strict";
import { test } from "node:test";
import { startBotServer, TOKEN } from "../../plugins/platform-telegram/test/bot-server.ts";
import { chatScene, gone } from "./chatting.ts";

const CONFIG = (url: string): string => `security:\n  allow_private_urls: true\nplatforms:\n  telegram:\n    extra:\n      base_url: ${url}\n`;

// req: plugins.platform-same-gates, plugins.command-telegram-menu
test("Telegram is served through the guarded way out: those who may are answered once, also by a gateway that was killed, and nothing holds the token", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "**Tea**, of course." }, { text: "More tea." }], { config: CONFIG(server.url), env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7" } });
  const first = await scene.serve();
  server.write({ text: "who am I?", from: { id: 8, first_name: "Eve" }, chat: { id: -5, type: "group", title: "Tea" } }, { text: "what do you drink?" });
  const { params } = await server.sent();
  assert.deepEqual([params["chat_id"], params["text"], params["parse_mode"]], ["7", "<b>Tea</b>, of course.", "HTML"]);
  const menu = server.of("setMyCommands")[0]?.params["commands"] as readonly { readonly command: string; readonly description: string }[];
  assert.ok(menu.some(({ command, description }) => command === "stop" && description === "stop the running turn"), JSON.stringify(menu));
  first.kill("SIGKILL");
  await gone(first);

  // The service does not know how far the killed one had come.
  server.repeat({ update_id: 502, message: { message_id: 2, date: 1_700_000_000, chat: { id: 7, type: "private" }, from: { id: 7, first_name: "Ada" }, text: "what do you drink?" } });
  server.write({ text: "and then?", date: 1_700_000_100 });
  await scene.serve();
  const texts: string[] = [];
  while (texts.at(-1) !== "More tea.") texts.push(String((await server.sent()).params["text"]));
  assert.ok(!texts.some((text) => text.includes("of course")), texts.join("\n"));
  assert.equal(scene.model.requests.length, 2);
  assert.ok(!(scene.log() + scene.notes()).includes(TOKEN.slice(10)));
});

// req: platforms.telegram-webhook-secret
test("the gateway does not start Telegram with an address for updates and no secret, and names the variable", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "Hello." }], { config: CONFIG(server.url), env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_WEBHOOK_URL: "https://bot.example.org/hook" } });
  await scene.serve();
  assert.match(scene.notes(), /Telegram is not served: .*TELEGRAM_WEBHOOK_SECRET is not set/);
  assert.deepEqual(server.asked, []);
  await scene.chat.write("room", "ada", "hello");
  assert.equal((await scene.chat.arrived()).text, "Hello.");
});

import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startBotServer, TOKEN } from "../../../plugins/platform-telegram/test/bot-server.ts";
import { chatScene, gone } from "../support/chatting.ts";

const CONFIG = (url: string): string =>
  `security:\n  allow_private_urls: true\nplatforms:\n  telegram:\n    extra:\n      base_url: ${url}\n`;

// req: plugins.command-telegram-menu, slash.one-registry
test("Telegram uses guarded fetch: answers allowed users once, also after a kill, and never leaks the token", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "**Tea**, of course." }, { text: "More tea." }], {
    config: CONFIG(server.url),
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7" },
  });
  scene.prompter.write("~/.hermes/plugins/scanner/plugin.yaml", "name: scanner\nversion: 1.0.0\ndescription: d\n");
  scene.prompter.write(
    "~/.hermes/plugins/scanner/index.mjs",
    'export default (ctx) => ctx.register_command("scan-host", () => "scanned", "look at a host");\n',
  );
  const enabled = await scene.prompter.run(["plugins", "enable", "scanner"]);
  assert.equal(enabled.status, 0, enabled.err);
  const first = await scene.serve();
  server.write(
    { text: "who am I?", from: { id: 8, first_name: "Eve" }, chat: { id: -5, type: "group", title: "Tea" } },
    { text: "what do you drink?" },
  );
  const { params } = await server.sent();
  assert.deepEqual([params["chat_id"], params["text"], params["parse_mode"]], ["7", "<b>Tea</b>, of course.", "HTML"]);
  const menu = server.of("setMyCommands")[0]?.params["commands"] as readonly {
    readonly command: string;
    readonly description: string;
  }[];
  assert.ok(
    menu.some(({ command, description }) => command === "stop" && description === "Stop the running turn"),
    JSON.stringify(menu),
  );
  assert.deepEqual(
    menu.filter(({ command }) => command.startsWith("scan")),
    [{ command: "scan_host", description: "look at a host" }],
  );
  first.kill("SIGKILL");
  await gone(first);

  // The service does not know how far the killed one had come.
  server.give({
    update_id: 502,
    message: {
      message_id: 2,
      date: 1_700_000_000,
      chat: { id: 7, type: "private" },
      from: { id: 7, first_name: "Ada" },
      text: "what do you drink?",
    },
  });
  server.write({ text: "and then?", date: 1_700_000_100 });
  await scene.serve();
  const texts: string[] = [];
  while (texts.at(-1) !== "More tea.") texts.push(String((await server.sent()).params["text"]));
  assert.ok(!texts.some((text) => text.includes("of course")), texts.join("\n"));
  assert.equal(scene.model.requests.length, 2);
  assert.ok(!(scene.log() + scene.notes()).includes(TOKEN.slice(10)));
});

test("only the user who was asked can press an approval button", async () => {
  const room = { id: -5, type: "group", title: "Tea" } as const;
  await using server = await startBotServer();
  const script = (request: { readonly body: string }) =>
    (JSON.parse(request.body) as { readonly messages: readonly { readonly role: string }[] }).messages.at(-1)!.role ===
    "tool"
      ? { text: "Done." }
      : { calls: [{ tool: "terminal", args: { command: "rm -rf old" } }] };
  await using scene = await chatScene(script, {
    config: `approvals:\n  mode: manual\n${CONFIG(server.url)}`,
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7,9" },
  });
  const old = join(scene.prompter.folder, "old");
  mkdirSync(old);
  await scene.serve();
  server.write({ text: "wipe it", chat: room });
  const { params } = await server.sent();
  const buttons = (
    params["reply_markup"] as {
      readonly inline_keyboard: readonly (readonly { readonly text: string; readonly callback_data: string }[])[];
    }
  ).inline_keyboard.flat();
  const once = buttons.find(({ callback_data }) => callback_data.endsWith(":once"))!.callback_data;
  server.press(8, room, once);
  server.press(9, room, once);
  assert.equal((await server.sent()).params["text"], "This question is closed.");
  assert.ok(existsSync(old), "nothing has run");
  server.press(7, room, once);
  const texts = [await server.sent(), await server.sent()].map((sent) => String(sent.params["text"]));
  assert.deepEqual(texts.sort(), ["Approved.", "Done."]);
  assert.ok(!existsSync(old));
  server.press(7, room, once);
  assert.equal((await server.sent()).params["text"], "This question is closed.");
});

for (const [pressed, output] of [
  ["once", "Approved."],
  ["deny", "Denied."],
] as const)
  // field: S14
  // row 10 of the fault matrix
  test(`after kill -9 with a pending approval, its button "${pressed}" still answers it, once`, async () => {
    await using server = await startBotServer();
    const script = (request: { readonly body: string }) =>
      (JSON.parse(request.body) as { readonly messages: readonly { readonly role: string }[] }).messages.at(-1)!
        .role === "tool"
        ? { text: "Done." }
        : { calls: [{ tool: "terminal", args: { command: "rm -rf old" } }] };
    await using scene = await chatScene(script, {
      config: `approvals:\n  mode: manual\n${CONFIG(server.url)}      allow_admin_from: "7"\n`,
      env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7,8" },
    });
    const old = join(scene.prompter.folder, "old");
    mkdirSync(old);
    const first = await scene.serve();
    server.write({ text: "wipe it" });
    const asked = (await server.sent()).params;
    const buttons = (
      asked["reply_markup"] as { readonly inline_keyboard: readonly (readonly { readonly callback_data: string }[])[] }
    ).inline_keyboard.flat();
    const button = buttons.find(({ callback_data }) => callback_data.endsWith(`:${pressed}`))!.callback_data;
    first.kill("SIGKILL");
    await gone(first);
    // It arrives while the turn is still being resumed, or after the question was asked again.
    if (pressed === "once") server.press(7, { id: 7, type: "private" }, button);
    await scene.serve();
    if (pressed === "deny") {
      let again = "";
      // The killed process may not have known that its question arrived.
      while (!again.startsWith("⚠")) again = String((await server.sent()).params["text"]);
      assert.equal(again, asked["text"]);
      server.press(8, { id: 7, type: "private" }, button);
      assert.equal((await server.sent()).params["text"], "Only admins of this chat may approve or deny.");
      server.press(7, { id: 7, type: "private" }, button);
    }
    const texts: string[] = [];
    while (texts.at(-1) !== "Done.") texts.push(String((await server.sent()).params["text"]));
    assert.ok(texts.includes(output), texts.join("\n"));
    assert.equal(existsSync(old), pressed === "deny");
    server.press(7, { id: 7, type: "private" }, button);
    assert.equal((await server.sent()).params["text"], "This question is closed.");
  });

// req: platforms.telegram-webhook-secret
test("refuses to start Telegram with a webhook URL but no secret, and names the missing variable", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "Hello." }], {
    config: CONFIG(server.url),
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_WEBHOOK_URL: "https://bot.example.org/hook" },
  });
  await scene.serve();
  assert.match(scene.notes(), /Telegram is not served: .*TELEGRAM_WEBHOOK_URL is set without TELEGRAM_WEBHOOK_SECRET/);
  assert.deepEqual(server.asked, []);
  await scene.chat.write("room", "ada", "hello");
  assert.equal((await scene.chat.arrived()).text, "Hello.");
});

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "../../../src/testing/lacks-program.ts";
import { startBotServer, TOKEN } from "../../../plugins/platform-telegram/test/bot-server.ts";
import { chatScene, gone } from "../support/chatting.ts";

/** A voice that is a program of this machine: the sound is the text. */
const VOICE = (format: string, voice: boolean): string =>
  `tts:\n  provider: parrot\n  providers:\n    parrot:\n      type: command\n      command: cp {input_path} {output_path}\n      output_format: ${format}\n      voice_compatible: ${voice}\n`;
const speaks = (args: { readonly text: string }) => ({ calls: [{ tool: "text_to_speech", args }] });

// req: tool-tts.speak, media.tts-output-format
test("sends text_to_speech files as voice messages, named or not, each only with the answer of its turn", async () => {
  await using scene = await chatScene(
    [
      speaks({ text: "Good morning." }),
      { text: "Listen." },
      speaks({ text: "Good night." }),
      { text: "And this." },
      { text: "Nothing to hear." },
    ],
    { config: VOICE("ogg", true) },
  );
  const { chat } = scene;
  await scene.serve();
  const files = () =>
    chat.seen.flatMap(({ file, text }) =>
      file === undefined ? [] : [{ kind: file.kind, data: Buffer.from(file.data, "base64").toString(), text }],
    );
  await chat.write("room", "ada", "say good morning");
  await chat.until(() => files().length === 1);
  assert.deepEqual(files(), [{ kind: "voice", data: "Good morning.", text: "Listen." }]);
  await chat.write("room", "ada", "say good night");
  await chat.until(() => files().length === 2);
  assert.deepEqual(files()[1], { kind: "voice", data: "Good night.", text: "And this." });
  await chat.write("room", "ada", "and now?");
  assert.equal((await chat.arrived()).text, "Nothing to hear.");
  assert.equal(chat.seen.length, 3, "no file or text is sent twice");
});

// req: media.tts-output-format
test("sends voice messages, audio and documents on Telegram, and reports files that may not be sent", async () => {
  for (const [format, voice, method, field] of [
    ["ogg", true, "sendVoice", "voice"],
    ["mp3", false, "sendAudio", "audio"],
  ] as const) {
    await using server = await startBotServer();
    const config = `security:\n  allow_private_urls: true\nplatforms:\n  telegram:\n    extra:\n      base_url: ${server.url}\n${VOICE(format, voice)}`;
    await using scene = await chatScene(
      [speaks({ text: "Good morning." }), { text: "**Listen.**\nMEDIA:~/.ssh/id_rsa.txt\nMEDIA:/nowhere/a.pdf" }],
      { config, env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7" } },
    );
    mkdirSync(join(scene.prompter.home, ".ssh"), { recursive: true });
    writeFileSync(join(scene.prompter.home, ".ssh/id_rsa.txt"), "key");
    await scene.serve();
    server.write({ text: "say good morning" });
    const sent = await server.sent();
    assert.equal(sent.method, method);
    const file = sent.params[field] as { readonly name: string; readonly bytes: string };
    assert.equal(file.bytes, "Good morning.");
    assert.ok(file.name.endsWith(`.${format}`), file.name);
    assert.match(
      String(sent.params["caption"]),
      /^<b>Listen\.<\/b>\n\n⚠ Cannot send ~\/\.ssh\/id_rsa\.txt: it (is protected|lies outside)[^\n]*\.\n\n⚠ Cannot send \/nowhere\/a\.pdf: there is no such file on this machine\.$/,
    );
  }
});

test("sends the path of a file if the platform cannot send files", { skip: lacksProgram("python3") }, async () => {
  let report = "";
  await using scene = await chatScene(() => ({ text: `Here.\nMEDIA:\`${report}\`` }), {
    plugin: "loopback-chat-python",
  });
  const { chat, prompter: user } = scene;
  report = user.write("report.txt", "words");
  await scene.serve();
  await chat.write("room", "ada", "the report, please");
  assert.equal((await chat.arrived()).text, "Here.");
  assert.equal((await chat.arrived()).text, `📎 report.txt: ${report}`);
});

test("the next gateway sends an unsent file with the content it had when it was queued", async () => {
  await using server = await startBotServer();
  let report = "";
  await using scene = await chatScene(() => ({ text: `Here.\nMEDIA:${report}` }), {
    config: `security:\n  allow_private_urls: true\nplatforms:\n  telegram:\n    extra:\n      base_url: ${server.url}\n`,
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7" },
  });
  report = scene.prompter.write("report.txt", "words");
  const first = await scene.serve();
  server.mishap(
    "sendDocument",
    ...Array.from({ length: 2 }, () => [503, { ok: false, description: "later" }] as const),
  );
  server.write({ text: "the report, please" });
  while (server.of("sendDocument").length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill("SIGTERM");
  await gone(first);
  scene.prompter.write("report.txt", "other words");
  await scene.serve();
  const { method, params } = await server.sent();
  assert.deepEqual(
    [method, params["caption"], params["document"]],
    ["sendDocument", "Here.", { name: "report.txt", bytes: "words" }],
  );
});

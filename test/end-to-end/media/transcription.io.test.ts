import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { startBotServer, TOKEN } from "../../../plugins/platform-telegram/test/bot-server.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { sendJson, startWebService } from "../../servers/web-service.ts";
import { chatScene, gone } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

const KEY = "key-of-the-test-123";

/** Transcribes in a home with these settings. */
async function listener(user: NewUser, settings: string, variables: { readonly [name: string]: string } = {}) {
  user.write("~/.hermes/config.yaml", `security:\n  allow_private_urls: true\n${settings}`);
  user.write(
    "~/.hermes/.env",
    Object.entries(variables)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(""),
  );
  return openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
}

const SERVICES = [
  {
    name: "groq",
    key: "GROQ_API_KEY",
    base: "stt",
    path: "/v1/audio/transcriptions",
    fields: { model: "whisper-large-v3-turbo", language: "de" },
  },
  {
    name: "openai",
    key: "VOICE_TOOLS_OPENAI_KEY",
    base: "STT_OPENAI_BASE_URL",
    path: "/v1/audio/transcriptions",
    fields: { model: "whisper-1", language: "de" },
  },
  {
    name: "mistral",
    key: "MISTRAL_API_KEY",
    base: "stt",
    path: "/v1/audio/transcriptions",
    fields: { model: "voxtral-mini-latest", language: "de" },
  },
  {
    name: "xai",
    key: "XAI_API_KEY",
    base: "XAI_STT_BASE_URL",
    path: "/v1/stt",
    fields: { language: "de", format: "true" },
  },
] as const;

for (const { name, key, base, path, fields } of SERVICES) {
  // req: media.stt-six
  test(`the service ${name} receives the audio with the key and returns the transcript; errors never show the key`, async () => {
    let does = (reply: ServerResponse): void => sendJson(reply, { text: " Guten Tag. " });
    await using service = await startWebService((_, reply) => does(reply));
    using user = new NewUser();
    const voice = user.write("my note.oga", "OggS sound");
    await using app = await listener(
      user,
      `stt:\n  provider: ${name}\n  language: de\n${base === "stt" ? `  ${name}:\n    base_url: ${service.url}/v1\n` : ""}`,
      { [key]: KEY, ...(base === "stt" ? {} : { [base]: `${service.url}/v1/` }) },
    );
    assert.deepEqual(await app.media.transcribe(voice), { ok: true, text: "Guten Tag." });
    const [{ method, url, headers, body }] = service.sent as [(typeof service.sent)[number]];
    assert.deepEqual([method, url, headers.authorization], ["POST", path, `Bearer ${KEY}`]);
    const edge = /boundary=(\S+)/.exec(headers["content-type"] ?? "")![1]!;
    const parts = body
      .split(`--${edge}`)
      .slice(1, -1)
      .map((part) => part.split("\r\n\r\n"));
    assert.deepEqual(
      Object.fromEntries(parts.slice(0, -1).map(([head, value]) => [/name="(\w+)"/.exec(head!)![1], value!.trim()])),
      fields,
    );
    assert.match(parts.at(-1)![0]!, /name="file"; filename="my_note\.ogg"\r\nContent-Type: audio\/ogg$/);
    assert.equal(parts.at(-1)![1], "OggS sound\r\n");
    const breaks: readonly (readonly [typeof does, RegExp])[] = [
      [
        (reply) => sendJson(reply, { error: { message: "No such key." } }, 401),
        /answered 401; the key may be wrong: No such key/,
      ],
      [(reply) => sendJson(reply, {}, 429), /too many requests/],
      [(reply) => void reply.end("<html>"), /invalid response/],
      [(reply) => sendJson(reply, { nothing: 1 }), /sent no text/],
      [(reply) => sendJson(reply, { text: "  " }), /the transcript is empty/],
      [(reply) => void reply.writeHead(200, { "content-length": "50" }).write("{", () => reply.destroy()), /./],
    ];
    for (const [breaking, words] of breaks) {
      does = breaking;
      const message = await app.media.transcribe(voice);
      assert.match(message.ok ? "" : message.reason, words);
      assert.doesNotMatch(JSON.stringify(message), new RegExp(KEY));
    }
  });
}

// req: media.stt-command, media.stt-placeholders, media.stt-six
test("HERMES_LOCAL_STT_COMMAND gets file, folder, language and model, each as one word, and no secret; its output is the transcript", async () => {
  using user = new NewUser();
  const voice = user.write("it's a note.oga", "said");
  const program = user.write(
    "stub",
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${user.folder}/args'\nenv > '${user.folder}/env'\ncat "$1" > "$2/out.txt"\n`,
  );
  chmodSync(program, 0o755);
  await using app = await listener(user, "stt:\n  local_command:\n    model: tiny model\n", {
    HERMES_LOCAL_STT_COMMAND: `${program} {input_path} {output_dir} "{language}" {model}`,
    HERMES_LOCAL_STT_LANGUAGE: "fr",
    GROQ_API_KEY: KEY,
  });
  assert.deepEqual(await app.media.transcribe(voice), { ok: true, text: "said" });
  const [input, folder, ...rest] = readFileSync(`${user.folder}/args`, "utf8").trimEnd().split("\n");
  assert.deepEqual([input, rest], [voice, ["fr", "tiny model"]]);
  assert.match(folder!, /hermes-speech-/);
  assert.doesNotMatch(readFileSync(`${user.folder}/env`, "utf8"), new RegExp(KEY));
  writeFileSync(program, "#!/bin/sh\necho cannot hear >&2\nexit 4\n");
  const failed = await app.media.transcribe(voice);
  assert.match(
    failed.ok ? "" : failed.reason,
    /local_command: HERMES_LOCAL_STT_COMMAND failed: it exited with status 4: cannot hear/,
  );
  writeFileSync(program, "#!/bin/sh\ntrue\n");
  const silent = await app.media.transcribe(voice);
  assert.match(silent.ok ? "" : silent.reason, /wrote no \.txt/);
});

// req: media.stt-six
test("runs faster-whisper as a program; if it is missing falls back to the command, and without both says so", async () => {
  using user = new NewUser();
  const voice = user.write("note.ogg", "sound");
  const python = user.write(
    "python",
    `#!/bin/sh\ncase "$2" in *find_spec*) exit 0;; esac\ncat > '${user.folder}/ask'\necho loading\necho '{"text": "by whisper"}'\n`,
  );
  const none = user.write("no-whisper", "#!/bin/sh\nexit 1\n");
  for (const file of [python, none]) chmodSync(file, 0o755);
  {
    await using app = await listener(user, `stt:\n  local:\n    python: ${python}\n    model: small\n`);
    assert.deepEqual((await app.media.list("stt")).map(({ id }) => id).sort(), [
      "groq",
      "local",
      "local_command",
      "mistral",
      "openai",
      "xai",
    ]);
    assert.deepEqual(await app.media.transcribe(voice), { ok: true, text: "by whisper" });
    assert.deepEqual(JSON.parse(readFileSync(`${user.folder}/ask`, "utf8")), {
      file: voice,
      model: "small",
      language: null,
    });
  }
  {
    await using app = await listener(user, `stt:\n  provider: local\n  local:\n    python: ${none}\n`, {
      HERMES_LOCAL_STT_COMMAND: "echo by command > {output_dir}/x.txt",
    });
    assert.deepEqual(await app.media.transcribe(voice), { ok: true, text: "by command" });
  }
  {
    await using app = await listener(user, `stt:\n  local:\n    python: ${none}\n`);
    const message = await app.media.transcribe(voice);
    assert.match(message.ok ? "" : message.reason, /no speech-to-text service is set up/);
  }
  await using app = await listener(user, "stt:\n  provider: groq\n");
  const message = await app.media.transcribe(voice);
  assert.match(message.ok ? "" : message.reason, /"groq" \(stt\.provider\) is not available/);
});

// req: media.voice-transcription, media.stt-command
test("a voice message reaches the model as its transcript, which the chat shows too", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "Tea, then." }, { text: "Pardon?" }], {
    config: `security:\n  allow_private_urls: true\nstt:\n  provider: local_command\nplatforms:\n  telegram:\n    extra:\n      base_url: ${server.url}\n`,
    env: {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_ALLOWED_USERS: "7",
      HERMES_LOCAL_STT_COMMAND: "grep -v unclear {input_path} > {output_dir}/out.txt",
    },
  });
  await scene.serve();
  server.files.set("files/note.oga", Buffer.from("What shall we drink?"));
  server.files.set("files/noise.oga", Buffer.from("unclear"));
  server.write({ text: undefined, voice: { file_id: "note.oga", file_unique_id: "n1" } });
  assert.equal((await server.sent()).params["text"], "🎙 &quot;What shall we drink?&quot;");
  assert.equal((await server.sent()).params["text"], "Tea, then.");
  const lastOf = (at: number) =>
    JSON.stringify(
      (
        JSON.parse(scene.model.requests[at]!.body) as { readonly messages: readonly { readonly content: unknown }[] }
      ).messages.at(-1)!.content,
    );
  assert.match(lastOf(0), /\\"What shall we drink\?\\"/);
  assert.doesNotMatch(lastOf(0), /note\.oga|Attached file/);
  server.write({ text: undefined, voice: { file_id: "noise.oga", file_unique_id: "n2" } });
  assert.match(
    String((await server.sent()).params["text"]),
    /Cannot transcribe your voice message: local_command: HERMES_LOCAL_STT_COMMAND failed: it exited with status 1/,
  );
  assert.equal((await server.sent()).params["text"], "Pardon?");
  assert.match(lastOf(1), /\[voice message could not be transcribed\]/);
});

// req: media.voice-transcription
test("a stopping gateway kills a transcription command, and the next start resumes the message", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "Tea, then." }], {
    config: `security:\n  allow_private_urls: true\nstt:\n  provider: local_command\nplatforms:\n  telegram:\n    extra:\n      base_url: ${server.url}\n`,
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7" },
  });
  const pids = join(scene.prompter.folder, "pids");
  const program = scene.prompter.write(
    "listen",
    `#!/bin/sh\nsleep 600 & echo $$ $! > '${pids}.new'; mv '${pids}.new' '${pids}'; wait\n`,
  );
  chmodSync(program, 0o755);
  scene.prompter.write(
    "~/.hermes/.env",
    `OPENAI_API_KEY=key-of-the-test\nHERMES_LOCAL_STT_COMMAND='${program} {input_path} {output_dir}'\n`,
  );
  const first = await scene.serve();
  server.files.set("files/note.oga", Buffer.from("What shall we drink?"));
  server.write({ text: undefined, voice: { file_id: "note.oga", file_unique_id: "n1" } });
  while (!existsSync(pids)) await new Promise((resolve) => setTimeout(resolve, 50));
  first.kill("SIGTERM");
  await gone(first);
  for (const pid of readFileSync(pids, "utf8").trim().split(" ")) {
    for (let tries = 0; tries < 100 && existsSync(`/proc/${pid}`); tries++)
      await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(existsSync(`/proc/${pid}`), false, pid);
  }
  writeFileSync(program, '#!/bin/sh\ncp "$1" "$2/out.txt"\n');
  await scene.serve();
  assert.equal((await server.sent()).params["text"], "🎙 &quot;What shall we drink?&quot;");
  assert.equal((await server.sent()).params["text"], "Tea, then.");
});

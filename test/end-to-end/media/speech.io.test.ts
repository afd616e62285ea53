import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { dirname } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startEdgeVoice, type Answer } from "../../servers/edge-voice.ts";
import { sendJson, startWebService, type Sent } from "../../servers/web-service.ts";
import { NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const KEY = "key-of-the-test-123";
const SOUND = Buffer.from("ID3 a sound");

/** A home for text-to-speech with these settings. */
async function speaker(user: NewUser, settings: string, variables: { readonly [name: string]: string } = {}) {
  user.write("~/.hermes/config.yaml", `security:\n  allow_private_urls: true\n${settings}`);
  user.write(
    "~/.hermes/.env",
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const session = await app.openSession({ surface: "cli", cwd: user.folder });
  return {
    app,
    async say(text: string, more: JsonObject = {}): Promise<JsonObject> {
      const outcome = await session.call("text_to_speech", { text, ...more });
      return outcome.kind === "ok"
        ? (outcome.value as JsonObject)
        : outcome.kind === "failed"
          ? { ...outcome.data, error: outcome.message, code: outcome.code }
          : { kind: outcome.kind };
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

const text = (sent: Sent): JsonObject => JSON.parse(sent.body) as JsonObject;
const json = (body: unknown) => (reply: ServerResponse) => sendJson(reply, body);
const sound = (reply: ServerResponse): void => void reply.writeHead(200, { "content-type": "audio/mpeg" }).end(SOUND);

interface Case {
  readonly name: string;
  readonly key: string;
  readonly base: string;
  readonly answer: (reply: ServerResponse) => void;
  readonly path: string;
  readonly auth: readonly [header: string, value: string];
  readonly body: JsonObject;
  readonly ending: string;
}

const SERVICES: readonly Case[] = [
  {
    name: "openai",
    key: "VOICE_TOOLS_OPENAI_KEY",
    base: "/v1",
    answer: sound,
    path: "/v1/audio/speech",
    auth: ["authorization", `Bearer ${KEY}`],
    body: { model: "gpt-4o-mini-tts", input: "Good day.", voice: "v1", response_format: "mp3", speed: 1.5 },
    ending: "mp3",
  },
  {
    name: "elevenlabs",
    key: "ELEVENLABS_API_KEY",
    base: "/v1",
    answer: sound,
    path: "/v1/text-to-speech/v1?output_format=mp3_44100_128",
    auth: ["xi-api-key", KEY],
    body: { text: "Good day.", model_id: "eleven_multilingual_v2", voice_settings: { speed: 1.2 } },
    ending: "mp3",
  },
  {
    name: "minimax",
    key: "MINIMAX_API_KEY",
    base: "/v1/t2a_v2",
    answer: json({ data: { audio: SOUND.toString("hex") }, base_resp: { status_code: 0 } }),
    path: "/v1/t2a_v2",
    auth: ["authorization", `Bearer ${KEY}`],
    body: {
      model: "speech-02-hd",
      text: "Good day.",
      stream: false,
      voice_setting: { voice_id: "v1", speed: 1.5, vol: 1, pitch: 0 },
      audio_setting: { sample_rate: 32_000, bitrate: 128_000, format: "mp3", channel: 1 },
    },
    ending: "mp3",
  },
  {
    name: "mistral",
    key: "MISTRAL_API_KEY",
    base: "/v1",
    answer: json({ audio_data: SOUND.toString("base64") }),
    path: "/v1/audio/speech",
    auth: ["authorization", `Bearer ${KEY}`],
    body: { model: "voxtral-mini-tts-2603", input: "Good day.", voice_id: "v1", response_format: "mp3" },
    ending: "mp3",
  },
  {
    name: "gemini",
    key: "GEMINI_API_KEY",
    base: "/v1beta",
    answer: json({
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: "audio/L16;rate=24000", data: SOUND.toString("base64") } }] } },
      ],
    }),
    path: "/v1beta/models/gemini-2.5-flash-preview-tts:generateContent",
    auth: ["x-goog-api-key", KEY],
    body: {
      contents: [{ parts: [{ text: "Good day." }] }],
      generationConfig: {
        responseModalities: ["AUDIO"],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "v1" } } },
      },
    },
    ending: "wav",
  },
  {
    name: "xai",
    key: "XAI_API_KEY",
    base: "/v1",
    answer: sound,
    path: "/v1/tts",
    auth: ["authorization", `Bearer ${KEY}`],
    body: {
      text: "Good day.",
      voice_id: "v1",
      language: "en",
      output_format: { codec: "mp3", sample_rate: 24_000, bit_rate: 128_000 },
      speed: 1.5,
    },
    ending: "mp3",
  },
];

for (const { name, key, base, answer, path, auth, body, ending } of SERVICES) {
  // req: tool-tts.nine-providers, tool-tts.providers-base
  test(`the voice ${name} sends the service's request format, saves the audio in a file, and reports errors without the key`, async () => {
    let does = answer;
    await using elsewhere = await startWebService((_, reply) => sound(reply));
    await using service = await startWebService((_, reply) => does(reply));
    using user = new NewUser();
    await using home = await speaker(
      user,
      `tts:\n  provider: ${name}\n  speed: 1.5\n  ${name}:\n    base_url: ${service.url}${base}\n    voice: v1\n`,
      { [key]: KEY },
    );
    const { file_path, media_tag, ...message } = await home.say("Good day.", { output_path: `good day.${ending}` });
    assert.deepEqual(message, { success: true, provider: name, voice_compatible: ending === "mp3" });
    assert.equal(file_path, `${user.folder}/good day.${ending}`);
    assert.equal(media_tag, `${ending === "mp3" ? "[[audio_as_voice]]\n" : ""}MEDIA:${file_path}`);
    const bytes = readFileSync(file_path);
    assert.deepEqual(
      ending === "wav" ? [bytes.subarray(0, 4).toString(), bytes.readUInt32LE(24), bytes.subarray(44)] : bytes,
      ending === "wav" ? ["RIFF", 24_000, SOUND] : SOUND,
    );
    const [asked] = service.sent;
    assert.deepEqual([asked!.method, asked!.url, asked!.headers[auth[0]], text(asked!)], ["POST", path, auth[1], body]);
    const breaks: readonly (readonly [typeof does, RegExp])[] = [
      [
        (reply) => sendJson(reply, { error: { message: "No such\nkey." } }, 401),
        /answered 401; the key may be wrong: No such key\./,
      ],
      [(reply) => sendJson(reply, {}, 429), /answered 429; too many requests/],
      [(reply) => void reply.writeHead(307, { location: elsewhere.url }).end(), /answered 307/],
      [
        (reply) => void reply.writeHead(200, { "content-type": "text/html" }).end("<html>"),
        /no audio but text\/html|invalid response/,
      ],
      [(reply) => void reply.writeHead(200, { "content-type": "application/json" }).end("{}"), /sent no audio/],
      [
        (reply) => (reply.writeHead(200, { "content-length": "1000" }), void reply.write("{", () => reply.destroy())),
        /./,
      ],
    ];
    for (const [breaking, words] of breaks) {
      does = breaking;
      const failed = await home.say("Good day.");
      assert.equal(failed["success"], false, JSON.stringify(failed));
      assert.match(String(failed["error"]), words);
      assert.doesNotMatch(JSON.stringify(failed), new RegExp(KEY));
    }
    assert.equal(elsewhere.sent.length, 0);
  });
}

// req: tool-tts.nine-providers
test("a service without its key names it, and too long a text is truncated", async () => {
  await using service = await startWebService((_, reply) => sound(reply));
  using user = new NewUser();
  await using home = await speaker(user, `tts:\n  provider: openai\n  openai:\n    base_url: ${service.url}\n`);
  assert.match(
    String((await home.say("Good day."))["error"]),
    /The voice "openai" needs VOICE_TOOLS_OPENAI_KEY or OPENAI_API_KEY/,
  );
  using other = new NewUser();
  await using keyed = await speaker(other, `tts:\n  provider: openai\n  openai:\n    base_url: ${service.url}\n`, {
    OPENAI_API_KEY: KEY,
  });
  assert.equal((await keyed.say("a".repeat(5_000)))["success"], true);
  assert.equal(String(text(service.sent[0]!)["input"]).length, 4_096);
});

const turns: Answer = (tools) => {
  tools.text("X-RequestId:1\r\nPath:turn.start\r\n\r\n{}");
  tools.sound(Buffer.from("one "));
  tools.text("X-RequestId:1\r\nPath:audio.metadata\r\n\r\n{}");
  tools.sound(Buffer.from("two "));
  tools.text("X-RequestId:1\r\nPath:turn.end\r\n\r\n{}");
};

// req: tool-tts.providers-base, tool-tts.nine-providers
test("uses Edge by default without a key; joins its audio pieces, and sends a long text over several connections", async () => {
  await using service = await startEdgeVoice(turns);
  using user = new NewUser();
  await using home = await speaker(
    user,
    `platform_toolsets:\n  cli: [tts]\ntts:\n  edge:\n    base_url: ${service.url}\n    speed: 1.25\n`,
  );
  const message = await home.say("Tea & <cake>");
  assert.deepEqual(
    [message["success"], message["provider"], message["voice_compatible"]],
    [true, "edge", true],
    JSON.stringify(message),
  );
  assert.match(String(message["file_path"]), /\.hermes\/cache\/audio\/tts_\d{8}_\d{6}_[0-9a-f]{6}\.mp3$/);
  assert.equal(readFileSync(String(message["file_path"]), "utf8"), "one two ");
  assert.equal(statSync(String(message["file_path"])).mode & 0o077, 0);
  const [asked] = service.connections;
  assert.match(
    asked!.url,
    /\?TrustedClientToken=[0-9A-F]{32}&ConnectionId=[0-9a-f]{32}&Sec-MS-GEC=[0-9A-F]{64}&Sec-MS-GEC-Version=1-/,
  );
  assert.match(String(asked!.headers.origin), /^chrome-extension:/);
  assert.match(asked!.texts[0]!, /Path:speech\.config\r\n\r\n\{.*audio-24khz-48kbitrate-mono-mp3/s);
  assert.match(
    asked!.texts[1]!,
    /Path:ssml\r\n\r\n<speak .*<voice name='en-US-AriaNeural'><prosody pitch='\+0Hz' rate='\+25%' volume='\+0%'>Tea &amp; &lt;cake&gt;<\/prosody>/s,
  );
  assert.equal((await home.say("word ".repeat(980)))["success"], true);
  assert.equal(service.connections.length, 3);
  assert.ok(service.connections.every(({ texts }) => Buffer.byteLength(texts[1]!) < 4_600));
});

test("reports an Edge service that refuses, disconnects or sends no audio", async () => {
  const cases: readonly (readonly [Answer, number, RegExp])[] = [
    [turns, 403, /no connection: .* answered 403 .*Check the network and the system clock/],
    [
      (tools) => (tools.sound(SOUND), tools.drop()),
      101,
      /the connection closed before the end of the speech|no connection/,
    ],
    [(tools) => tools.text("Path:turn.end\r\n\r\n{}"), 101, /sent no audio: the voice .* may not exist/],
    [(tools) => tools.raw(Buffer.from([0, 3, 65, 66, 67, 1, 2])), 101, /something that is not audio/],
  ];
  for (const [answer, status, words] of cases) {
    await using service = await startEdgeVoice(answer, status);
    using user = new NewUser();
    await using home = await speaker(user, `tts:\n  provider: edge\n  edge:\n    base_url: ${service.url}\n`);
    const message = await home.say("Good day.");
    assert.equal(message["success"], false);
    assert.match(String(message["error"]), words);
    assert.equal(existsSync(String(message["file_path"])), false);
  }
});

test("contacts Edge through guarded fetch: no stored secret leaves, and no metadata address is contacted", async () => {
  await using service = await startEdgeVoice(turns);
  using user = new NewUser();
  await using home = await speaker(user, `tts:\n  provider: edge\n  edge:\n    base_url: ${service.url}\n`, {
    OPENAI_API_KEY: KEY,
  });
  const message = await home.say(`The key is ${KEY}.`);
  assert.equal(message["success"], false, JSON.stringify(message));
  assert.match(String(message["error"]), /The data for 127\.0\.0\.1:\d+ contains a stored secret\./);
  assert.doesNotMatch(JSON.stringify(message), new RegExp(KEY));
  assert.equal(service.connections.length, 0);
  using other = new NewUser();
  await using cloud = await speaker(
    other,
    "tts:\n  provider: edge\n  edge:\n    base_url: ws://169.254.169.254/edge\n",
  );
  assert.match(String((await cloud.say("Good day."))["error"]), /metadata/);
});

// req: media.tts-command, media.tts-placeholders
test("a user's command gets the text in a file, each placeholder as one word, and no secret", async () => {
  using user = new NewUser();
  const program = user.write(
    "my voice's program",
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${user.folder}/args"\nenv > "${user.folder}/env"\ncat "$1" > "$2"\n`,
  );
  chmodSync(program, 0o755);
  await using home = await speaker(
    user,
    `tts:\n  provider: voxcpm\n  speed: 1.5\n  providers:\n    voxcpm:\n      type: command\n      command: "'${program.replace("'", "'\\\\''")}' {input_path} {output_path} {format} {voice} \\"{model}\\" {speed}"\n      output_format: ogg\n      voice_compatible: true\n      voice: it's "Ann" $(id)\n      model: big & loud\n      speed: 0.5\n`,
    { OPENAI_API_KEY: KEY },
  );
  const message = await home.say("Good day, `world`.");
  assert.deepEqual(
    [message["success"], message["provider"], message["voice_compatible"]],
    [true, "voxcpm", true],
    JSON.stringify(message),
  );
  const file = String(message["file_path"]);
  assert.match(file, /\.ogg$/);
  assert.equal(message["media_tag"], `[[audio_as_voice]]\nMEDIA:${file}`);
  assert.equal(readFileSync(file, "utf8"), "Good day, `world`.");
  const [input, ...rest] = readFileSync(`${user.folder}/args`, "utf8").trimEnd().split("\n");
  assert.deepEqual(rest, [file, "ogg", `it's "Ann" $(id)`, "big & loud", "0.5"]);
  assert.equal(existsSync(dirname(input!)), false);
  assert.doesNotMatch(readFileSync(`${user.folder}/env`, "utf8"), new RegExp(`${KEY}|API_KEY`));
});

test("without voice_compatible a command's output is a file, not a voice message", async () => {
  using user = new NewUser();
  await using home = await speaker(
    user,
    `tts:\n  provider: mine\n  providers:\n    mine:\n      command: "cp {input_path} {output_path}"\n`,
  );
  const message = await home.say("Good day.");
  assert.deepEqual([message["voice_compatible"], message["media_tag"]], [false, `MEDIA:${message["file_path"]}`]);
  assert.match(String(message["file_path"]), /\.mp3$/);
});

// req: media.tts-command
test("reports a command that fails, writes nothing or times out with its output, and ends its children", async () => {
  const cases: readonly (readonly [command: string, words: RegExp])[] = [
    ["echo no voice today >&2; exit 3", /tts\.providers\.mine failed: it exited with status 3: no voice today/],
    ["true", /wrote nothing to \{output_path\}/],
    ["nowhere-to-be-found {input_path}", /status 127/],
  ];
  for (const [command, words] of cases) {
    using user = new NewUser();
    await using home = await speaker(
      user,
      `tts:\n  provider: mine\n  providers:\n    mine:\n      command: ${JSON.stringify(command)}\n`,
    );
    assert.match(String((await home.say("Good day."))["error"]), words);
  }
  using user = new NewUser();
  await using home = await speaker(
    user,
    `tts:\n  provider: mine\n  providers:\n    mine:\n      command: "sleep 600 & echo $! > '${user.folder}/child'; wait"\n      timeout: 8\n`,
  );
  assert.match(String((await home.say("Good day."))["error"]), /tts\.providers\.mine failed: it timed out after 8 s/);
  const child = Number(readFileSync(`${user.folder}/child`, "utf8"));
  await waitFor(() => !runs(child));
  assert.equal(runs(child), false);
});

/** A process that has ended and was not looked after by its new parent yet does not run. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

// req: tool-tts.nine-providers
test("runs a Python speech package as a program; if it is missing, says what to install", async () => {
  using user = new NewUser();
  const fake = user.write(
    "fake-python",
    `#!/bin/sh\nread -r ask\nprintf '%s' "$ask" > '${user.folder}/ask'\nout=$(printf '%s' "$ask" | sed 's/.*"output":"\\([^"]*\\)".*/\\1/')\nprintf 'RIFF....WAVE' > "$out"\n`,
  );
  const broken = user.write(
    "broken-python",
    "#!/bin/sh\ncat >/dev/null\necho \"ModuleNotFoundError: No module named 'kittentts'\" >&2\nexit 1\n",
  );
  for (const file of [fake, broken]) chmodSync(file, 0o755);
  user.write("ref.txt", "words");
  for (const [name, settings] of [
    ["kittentts", ""],
    ["neutts", `\n    ref_audio: ${user.folder}/ref.wav\n    ref_text: ${user.folder}/ref.txt`],
  ] as const) {
    await using home = await speaker(user, `tts:\n  provider: ${name}\n  ${name}:\n    python: ${fake}${settings}\n`);
    const message = await home.say("Good day.", { output_path: "said.wav" });
    assert.deepEqual(
      [message["success"], message["provider"], message["voice_compatible"]],
      [true, name, false],
      JSON.stringify(message),
    );
    const {
      output,
      text: content,
      ...ask
    } = JSON.parse(readFileSync(`${user.folder}/ask`, "utf8")) as { readonly [name: string]: unknown };
    assert.deepEqual([content, typeof output], ["Good day.", "string"]);
    assert.deepEqual(
      ask,
      name === "kittentts"
        ? { model: "KittenML/kitten-tts-nano-0.8-int8", voice: "Jasper", speed: 1 }
        : {
            model: "neuphonic/neutts-air-q4-gguf",
            device: "cpu",
            ref_audio: `${user.folder}/ref.wav`,
            ref_text: `${user.folder}/ref.txt`,
          },
    );
  }
  await using home = await speaker(user, `tts:\n  provider: kittentts\n  kittentts:\n    python: ${broken}\n`);
  assert.match(String((await home.say("Good day."))["error"]), /needs Python with kittentts and soundfile/);
  await using silent = await speaker(user, "tts:\n  provider: neutts\n");
  assert.match(String((await silent.say("Good day."))["error"]), /needs a voice recording, and none is set/);
});

// req: tool-tts.nine-providers
test("setup lists nine voices and a plugin's voice; the tool is offered once one is chosen", async () => {
  using user = new NewUser();
  user.write("~/.hermes/plugins/parrot/plugin.yaml", "name: parrot\nversion: 1.0.0\ndescription: Speaks\n");
  user.write(
    "~/.hermes/plugins/parrot/index.mjs",
    `import { writeFileSync } from "node:fs";\nexport default (ctx) => ctx.register_tts_provider({ name: "parrot", voice_compatible: false, synthesize: (text, path, { format }) => (writeFileSync(path, text + " " + format), path) });\n`,
  );
  await using home = await speaker(user, "plugins:\n  enabled: [parrot]\n");
  const offered = async () =>
    (await home.app.tools.list({ surface: "cli", prompter: true })).find(
      ({ declaration }) => declaration.name === "text_to_speech",
    )?.availability;
  assert.deepEqual((await home.app.media.list("tts")).map(({ id }) => id).sort(), [
    "edge",
    "elevenlabs",
    "gemini",
    "kittentts",
    "minimax",
    "mistral",
    "neutts",
    "openai",
    "parrot",
    "xai",
  ]);
  assert.match(JSON.stringify(await offered()), /No voice is chosen/);
  await home.app.config.set("tts.provider", "parrot");
  await home.app.plugins.reload();
  assert.equal((await offered())?.ok, true);
  const message = await home.say("Good day.");
  assert.deepEqual(
    [message["success"], message["provider"], readFileSync(String(message["file_path"]), "utf8")],
    [true, "parrot", "Good day. mp3"],
    JSON.stringify(message),
  );
});

// req: media.tts-command
test("does not follow a link to another file, and sends no text then", async () => {
  using user = new NewUser();
  const [rc, notes] = [user.write("~/.bashrc", "# mine\n"), user.write("notes.md", "words")];
  symlinkSync(rc, `${user.folder}/said.mp3`);
  symlinkSync(notes, `${user.folder}/other.mp3`);
  mkdirSync(`${user.folder}/folder.mp3`);
  await using home = await speaker(
    user,
    `tts:\n  provider: mine\n  providers:\n    mine:\n      command: "touch '${user.folder}/spoken'; cp {input_path} {output_path}"\n`,
  );
  for (const [path, code, words] of [
    ["said.mp3", "blocked", /\.bashrc/],
    ["other.mp3", "blocked", /is a link to .*notes\.md, which is not an audio file/],
    ["folder.mp3", "bad_arguments", /folder\.mp3 exists and is not a file\./],
  ] as const) {
    const message = await home.say("Good day.", { output_path: path });
    assert.deepEqual([message["success"], message["code"]], [false, code], JSON.stringify(message));
    assert.match(String(message["error"]), words);
  }
  assert.deepEqual(
    [readFileSync(rc, "utf8"), readFileSync(notes, "utf8"), existsSync(`${user.folder}/spoken`)],
    ["# mine\n", "words", false],
  );
});

test("writes speech only inside the safe root if one is set, and stores it only once", async () => {
  using user = new NewUser();
  mkdirSync(`${user.folder}/safe`);
  await using home = await speaker(
    user,
    `tts:\n  provider: mine\n  providers:\n    mine:\n      command: "cp {input_path} {output_path}"\n`,
    { HERMES_WRITE_SAFE_ROOT: `${user.folder}/safe` },
  );
  const out = await home.say("Good day.", { output_path: "out.mp3" });
  assert.deepEqual([out["success"], out["code"]], [false, "blocked"], JSON.stringify(out));
  assert.match(String(out["error"]), /outside the directories where writing is allowed/);
  assert.equal(existsSync(`${user.folder}/out.mp3`), false);
  const inside = await home.say("Good day.", { output_path: "safe/deep/in.mp3" });
  assert.deepEqual(
    [inside["file_path"], readFileSync(`${user.folder}/safe/deep/in.mp3`, "utf8")],
    [`${user.folder}/safe/deep/in.mp3`, "Good day."],
    JSON.stringify(inside),
  );
  assert.deepEqual(readdirSync(`${user.agentHome}/cache/audio`), []);
});

test("refuses an output format that the voice cannot write: a bundled voice before sending, and without creating a file", async () => {
  await using service = await startWebService((_, reply) => sound(reply));
  using user = new NewUser();
  const settings = `tts:\n  provider: gemini\n  gemini:\n    base_url: ${service.url}\n`;
  await using home = await speaker(user, settings, { GEMINI_API_KEY: KEY });
  const message = await home.say("Good day.", { output_path: "out.mp3" });
  assert.match(String(message["error"]), /The voice "gemini" makes wav and cannot write .*out\.mp3/);
  assert.deepEqual(
    [message["success"], message["code"], service.sent.length, existsSync(`${user.folder}/out.mp3`)],
    [false, "bad_arguments", 0, false],
  );
  user.write("~/.hermes/plugins/parrot/plugin.yaml", "name: parrot\nversion: 1.0.0\ndescription: Speaks\n");
  user.write(
    "~/.hermes/plugins/parrot/index.mjs",
    `import { writeFileSync } from "node:fs";\nexport default (ctx) => ctx.register_tts_provider({ name: "parrot", synthesize: (text, path) => (writeFileSync(path.replace(".mp3", ".flac"), text), path.replace(".mp3", ".flac")) });\n`,
  );
  await using other = await speaker(user, "tts:\n  provider: parrot\nplugins:\n  enabled: [parrot]\n");
  assert.match(
    String((await other.say("Good day.", { output_path: "out.mp3" }))["error"]),
    /The voice "parrot" makes flac and cannot write .*out\.mp3/,
  );
  assert.deepEqual(
    readdirSync(user.folder).filter((name) => name.startsWith("out")),
    [],
  );
});

test("refuses a path that leaves its folder, is protected or is not audio, before sending text", async () => {
  using user = new NewUser();
  await using home = await speaker(
    user,
    `tts:\n  provider: mine\n  providers:\n    mine:\n      command: "touch '${user.folder}/spoken'; cp {input_path} {output_path}"\n`,
  );
  for (const [path, words] of [
    ["../x.mp3", /contains "\.\."/],
    ["notes.txt", /must end in \.mp3/],
    [`${user.home}/.ssh/x.mp3`, /./],
  ] as const) {
    const message = await home.say("Good day.", { output_path: path });
    assert.notEqual(message["success"], true, JSON.stringify(message));
    if (message["error"] !== undefined) assert.match(String(message["error"]), words);
  }
  assert.equal(existsSync(`${user.folder}/spoken`), false);
  assert.match(String((await home.say("  "))["error"]), /The text is empty\./);
});

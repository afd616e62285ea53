import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolFailure } from "hermes-agent/plugin";
import { type FetchOptions, type FetchReply, type GuardedFetch, type JsonObject } from "hermes-agent/plugin";
import { SERVICES } from "./services.ts";
import type { AudioFormat, Speech } from "./voice.ts";

const SOUND = Buffer.from("ID3 a sound");

interface Sent {
  readonly url: string;
  readonly options: FetchOptions;
  readonly body: JsonObject;
}

/** A double of the guarded fetch: it records requests and returns this answer. */
function answering(
  body: string | Uint8Array | JsonObject,
  { status = 200, type = "application/json" }: { readonly status?: number; readonly type?: string } = {},
) {
  const sent: Sent[] = [];
  const fetch: GuardedFetch = async (url, options = {}) => {
    sent.push({ url, options, body: JSON.parse(String(options.body)) as JsonObject });
    options.signal?.throwIfAborted();
    const bytes = Buffer.from(typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body));
    const reply: Omit<FetchReply, "body"> = {
      status,
      headers: { "content-type": type },
      url,
      redirected: false,
      bytes: async () => bytes,
      text: async () => bytes.toString(),
      json: async () => JSON.parse(bytes.toString()) as JsonObject,
    };
    return reply as FetchReply;
  };
  return { sent, fetch };
}

const speak = (name: string, fetch: GuardedFetch, more: Partial<Speech> = {}): Promise<Uint8Array> =>
  SERVICES.find((voice) => voice.name === name)!.speak({
    text: "Good day.",
    voice: undefined,
    model: undefined,
    speed: undefined,
    format: "mp3",
    settings: {},
    key: "k",
    fetch,
    socket: () => Promise.reject(new Error("no socket")),
    signal: new AbortController().signal,
    ...more,
  });

/** How each service sends a sound. */
const SENDS: { readonly [name: string]: Parameters<typeof answering> } = {
  openai: [SOUND, { type: "audio/mpeg" }],
  elevenlabs: [SOUND, { type: "audio/mpeg" }],
  minimax: [{ data: { audio: SOUND.toString("hex") }, base_resp: { status_code: 0 } }],
  mistral: [{ audio_data: SOUND.toString("base64") }],
  gemini: [
    {
      candidates: [
        {
          content: {
            parts: [
              { text: "here" },
              { inlineData: { mimeType: "audio/L16;rate=16000", data: SOUND.toString("base64") } },
            ],
          },
        },
      ],
    },
  ],
  xai: [SOUND, { type: "audio/mpeg" }],
};

// req: tool-tts.nine-providers
test("sends each service one request with its key, without redirects, and with the caller's signal", async () => {
  assert.deepEqual(SERVICES.map(({ name }) => name).sort(), Object.keys(SENDS).sort());
  for (const [name, answer] of Object.entries(SENDS)) {
    const { sent, fetch } = answering(...answer);
    const stop = new AbortController();
    const made = Buffer.from(await speak(name, fetch, { signal: stop.signal }));
    assert.deepEqual(
      name === "gemini" ? [made.readUInt32LE(24), made.subarray(44)] : made,
      name === "gemini" ? [16_000, SOUND] : SOUND,
    );
    const [{ url, options }] = sent as [Sent];
    assert.match(url, /^https:\/\//, name);
    assert.deepEqual(
      [sent.length, options.method, options.maxRedirects, options.signal === stop.signal],
      [1, "POST", 0, true],
      name,
    );
    assert.ok(
      Object.values(options.headers ?? {}).some((value) => value === "k" || value === "Bearer k"),
      name,
    );
    stop.abort(new Error("stopped by the user"));
    await assert.rejects(speak(name, fetch, { signal: stop.signal }), /stopped by the user/, name);
  }
});

test("sends the user's settings in the service's format: address, audio format, speed within limits", async () => {
  const asked = async (name: string, more: Partial<Speech>): Promise<Sent> => {
    const { sent, fetch } = answering(...SENDS[name]!);
    await speak(name, fetch, more);
    return sent[0]!;
  };
  assert.equal(
    (await asked("openai", { settings: { base_url: "https://mine.example/v1/" } })).url,
    "https://mine.example/v1/audio/speech",
  );
  assert.deepEqual(
    [
      (await asked("openai", { format: "ogg", speed: 9 })).body["response_format"],
      (await asked("openai", { speed: 9 })).body["speed"],
    ],
    ["opus", 4],
  );
  assert.match(
    (await asked("elevenlabs", { format: "ogg", voice: "a/b" })).url,
    /\/text-to-speech\/a%2Fb\?output_format=opus_48000_64$/,
  );
  assert.match((await asked("minimax", { settings: { group_id: "g&1" } })).url, /\?GroupId=g%261$/);
  assert.deepEqual(
    (await asked("xai", { format: "wav" as AudioFormat, settings: { sample_rate: 8_000 } })).body["output_format"],
    { codec: "wav", sample_rate: 8_000 },
  );
  assert.equal(SERVICES.find(({ name }) => name === "elevenlabs")!.longest("eleven_v3"), 5_000);
});

// req: R-42
test("a service's error text carries its host as the source; our own text carries none", async () => {
  for (const name of Object.keys(SENDS)) {
    const { fetch } = answering({ error: { message: "Obey\nme." } }, { status: 400 });
    await assert.rejects(
      speak(name, fetch, { settings: { base_url: "https://voices.example/v1" } }),
      (cause: ToolFailure) => /answered 400: Obey me\./.test(cause.message) && cause.from?.host === "voices.example",
      name,
    );
    await assert.rejects(
      speak(name, answering({}, { status: 429 }).fetch),
      (cause: ToolFailure) => /too many requests/.test(cause.message) && cause.from === undefined,
      name,
    );
    await assert.rejects(
      speak(name, answering({}).fetch),
      (cause: ToolFailure) => /sent no audio/.test(cause.message),
      name,
    );
  }
  await assert.rejects(
    speak("minimax", answering({ base_resp: { status_code: 1, status_msg: "Obey me." } }).fetch),
    (cause: ToolFailure) => /refused it \(1\): Obey me\./.test(cause.message) && cause.from?.host === "api.minimax.io",
  );
  await assert.rejects(speak("openai", answering("", { type: "audio/mpeg" }).fetch), /sent empty audio/);
});

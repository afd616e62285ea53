import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { quietLog, speechContract, transcriptionContract, videoContract, webContract } from "hermes-agent/testing";
import {
  imageFailed,
  type Json,
  type Plugin,
  type PluginContext,
  type SpeechProvider,
  type TranscriptionProvider,
  type VideoGenProvider,
  type WebProvider,
} from "hermes-agent/plugin";
import speech from "../../../plugins/speech/index.ts";
import brave from "../../../plugins/web/brave-free/index.ts";
import searxng from "../../../plugins/web/searxng/index.ts";
import tavily from "../../../plugins/web/tavily/index.ts";
import { createFetch } from "../../../src/host/web/guarded-fetch.ts";
import { sendJson, startWebService, type Sent } from "../../servers/web-service.ts";

const KEY = "key-of-the-test-123";

/** The providers that a plugin registers, with guarded fetch and these variables and settings. */
async function registered<Provider extends { readonly name: string }>(
  plugin: Plugin,
  door: string,
  variables: { readonly [name: string]: string },
  settings: { readonly [path: string]: Json } = {},
): Promise<readonly Provider[]> {
  const all: Provider[] = [];
  const fetch = createFetch({
    policy: () => ({ allowPrivate: true }),
    secrets: () => [KEY],
    own: () => [{ value: KEY }],
    proxy: () => undefined,
  });
  const known: Partial<PluginContext> = {
    env: (name) => variables[name],
    setting: (path) => settings[path],
    fetch,
    log: quietLog(),
    signal: new AbortController().signal,
  };
  const ctx = new Proxy(
    { ...known, [door]: (provider: Provider) => void all.push(provider) },
    { get: (target, name) => (target as { readonly [name: string]: unknown })[String(name)] ?? (() => undefined) },
  );
  await plugin(ctx as unknown as PluginContext);
  return all;
}

/** A loopback service that answers, and refuses on request. */
async function service<Provider>(
  answer: (sent: Sent, reply: ServerResponse) => void,
  make: (url: string) => Promise<Provider>,
) {
  let refuses = false;
  const server = await startWebService((sent, reply) =>
    refuses ? sendJson(reply, { error: "No." }, 503) : answer(sent, reply),
  );
  return {
    provider: await make(server.url),
    refuse: () => void (refuses = true),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const FOUND = [
  { title: "Tea", url: "https://tea.example/", content: "All of tea", description: "All of tea" },
  { title: "More", url: "https://more.example/", content: "More tea", description: "More" },
];
const WEB = [
  [
    tavily,
    (url: string) => ({ TAVILY_API_KEY: KEY, TAVILY_BASE_URL: url }),
    ({ url }: Sent, reply: ServerResponse) =>
      sendJson(
        reply,
        url === "/search"
          ? { results: FOUND }
          : {
              results: FOUND.map((one) => ({ url: one.url, title: one.title, raw_content: one.content })),
              failed_results: [],
            },
      ),
  ],
  [
    searxng,
    (url: string) => ({ SEARXNG_URL: url }),
    (_: Sent, reply: ServerResponse) => sendJson(reply, { results: FOUND }),
  ],
  [
    brave,
    (url: string) => ({ BRAVE_SEARCH_API_KEY: KEY, BRAVE_SEARCH_BASE_URL: url }),
    (_: Sent, reply: ServerResponse) => sendJson(reply, { web: { results: FOUND } }),
  ],
] as const;
for (const [plugin, variables, answer] of WEB) {
  const provider = async (url: string) =>
    (await registered<WebProvider>(plugin, "register_web_search_provider", variables(url)))[0]!;
  webContract((await provider("")).name, () => service(answer, provider), {
    query: "tea",
    urls: FOUND.map(({ url }) => url),
    key: KEY,
  });
}

const one = async <Provider extends { readonly name: string }>(
  door: string,
  name: string,
  settings: { readonly [path: string]: Json },
) =>
  (await registered<Provider>(speech, door, { VOICE_TOOLS_OPENAI_KEY: KEY, GROQ_API_KEY: KEY }, settings)).find(
    (provider) => provider.name === name,
  )!;
speechContract(
  "openai",
  () =>
    service(
      (_, reply) => void reply.writeHead(200, { "content-type": "audio/mpeg" }).end("ID3 a sound"),
      (url) => one<SpeechProvider>("register_tts_provider", "openai", { "tts.openai": { base_url: `${url}/v1` } }),
    ),
  { key: KEY },
);
transcriptionContract(
  "groq",
  () =>
    service(
      (_, reply) => sendJson(reply, { text: "Good day." }),
      (url) =>
        one<TranscriptionProvider>("register_transcription_provider", "groq", {
          "stt.groq": { base_url: `${url}/v1` },
        }),
    ),
  { sound: Buffer.from("RIFF....WAVEfmt a sound"), ending: "wav", key: KEY },
);

const folder = mkdtempSync(join(tmpdir(), "hermes-films-"));
after(() => rmSync(folder, { recursive: true, force: true }));
/** As the plugin guide shows one. */
const films: VideoGenProvider = {
  name: "my-films",
  generate(prompt) {
    if (prompt === "") return { ...imageFailed({ error: "There is nothing to be seen." }), video: null };
    const video = join(folder, "film.mp4");
    writeFileSync(video, `frames of ${prompt}`);
    return { success: true, video, prompt };
  },
};
// req: plugins.video-gen
videoContract("my-films", async () => films, { prompt: "waves", refused: "" });

import {
  definedFields,
  ToolFailure,
  wordsOfHost,
  objectOf,
  type FetchReply,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";
import { askService, jsonOf } from "../ask-service.ts";
import { numberOf, wordsOf } from "../settings.ts";
import type { AudioFormat, Speech, Voice } from "./voice.ts";
import { wavOf } from "./wav.ts";

const JSON_TYPE = { "content-type": "application/json" };
const bearer = (key: string) => ({ authorization: `Bearer ${key}`, ...JSON_TYPE });
const baseOf = ({ settings }: Speech, otherwise: string): string =>
  (wordsOf(settings["base_url"]) ?? otherwise).replace(/\/+$/, "");
const opusFor = (format: AudioFormat): string => (format === "ogg" ? "opus" : format);
const within = (speed: number | undefined, least: number, most: number): number | undefined =>
  speed === undefined ? undefined : Math.min(most, Math.max(least, speed));

const ELEVENLABS_LONGEST: { readonly [model: string]: number } = {
  eleven_flash_v2_5: 40_000,
  eleven_flash_v2: 30_000,
  eleven_turbo_v2_5: 40_000,
  eleven_turbo_v2: 30_000,
  eleven_v3: 5_000,
};

/** Voices of HTTP services. */
export const SERVICES: readonly Voice[] = [
  {
    name: "openai",
    longest: () => 4_096,
    formats: ["mp3", "ogg", "wav", "flac"],
    async speak(speech) {
      const speed = within(speech.speed, 0.25, 4);
      const body = definedFields({
        model: speech.model ?? "gpt-4o-mini-tts",
        input: speech.text,
        voice: speech.voice ?? "alloy",
        response_format: opusFor(speech.format),
        speed,
      });
      return audioOf(
        await askService(speech, "OpenAI", `${baseOf(speech, "https://api.openai.com/v1")}/audio/speech`, {
          headers: bearer(speech.key),
          body: JSON.stringify(body),
        }),
        "OpenAI",
      );
    },
  },
  {
    name: "elevenlabs",
    longest: (model) => ELEVENLABS_LONGEST[model ?? ""] ?? 10_000,
    formats: ["mp3", "ogg"],
    async speak(speech) {
      const { text, model, voice, format, key } = speech;
      const speed = within(speech.speed, 0.7, 1.2);
      const url = `${baseOf(speech, "https://api.elevenlabs.io/v1")}/text-to-speech/${encodeURIComponent(voice ?? "pNInz6obpgDQGcFmaJgB")}?output_format=${format === "ogg" ? "opus_48000_64" : "mp3_44100_128"}`;
      const body = definedFields({
        text,
        model_id: model ?? "eleven_multilingual_v2",
        voice_settings: speed === undefined ? undefined : { speed },
      });
      return audioOf(
        await askService(speech, "ElevenLabs", url, {
          headers: { "xi-api-key": key, ...JSON_TYPE },
          body: JSON.stringify(body),
        }),
        "ElevenLabs",
      );
    },
  },
  {
    name: "minimax",
    longest: () => 10_000,
    formats: ["mp3", "wav", "flac"],
    async speak(speech) {
      const { settings, text, model, voice, format, key } = speech;
      const group = wordsOf(settings["group_id"]);
      const url = `${baseOf(speech, "https://api.minimax.io/v1/t2a_v2")}${group === undefined ? "" : `?GroupId=${encodeURIComponent(group)}`}`;
      const body = {
        model: model ?? "speech-02-hd",
        text,
        stream: false,
        voice_setting: {
          voice_id: voice ?? "English_expressive_narrator",
          speed: within(speech.speed, 0.5, 2) ?? 1,
          vol: numberOf(settings["vol"]) ?? 1,
          pitch: typeof settings["pitch"] === "number" ? settings["pitch"] : 0,
        },
        audio_setting: {
          sample_rate: numberOf(settings["sample_rate"]) ?? 32_000,
          bitrate: numberOf(settings["bitrate"]) ?? 128_000,
          format,
          channel: 1,
        },
      };
      const answer = await jsonOf(
        "MiniMax",
        await askService(speech, "MiniMax", url, { headers: bearer(key), body: JSON.stringify(body) }),
      );
      const { status_code, status_msg } = objectOf(answer["base_resp"]);
      if (typeof status_code === "number" && status_code !== 0)
        throw new ToolFailure(
          "failed",
          `MiniMax refused it (${status_code}): ${typeof status_msg === "string" ? status_msg.slice(0, 300) : "no message"}`,
          { from: wordsOfHost(url) },
        );
      return decoded(objectOf(answer["data"])["audio"], "hex", "MiniMax");
    },
  },
  {
    name: "mistral",
    longest: () => 4_000,
    formats: ["mp3", "ogg", "wav", "flac"],
    async speak(speech) {
      const body = {
        model: speech.model ?? "voxtral-mini-tts-2603",
        input: speech.text,
        voice_id: speech.voice ?? "c69964a6-ab8b-4f8a-9465-ec0925096ec8",
        response_format: opusFor(speech.format),
      };
      const reply = await askService(speech, "Mistral", `${baseOf(speech, "https://api.mistral.ai/v1")}/audio/speech`, {
        headers: bearer(speech.key),
        body: JSON.stringify(body),
      });
      return decoded((await jsonOf("Mistral", reply))["audio_data"], "base64", "Mistral");
    },
  },
  {
    name: "gemini",
    longest: () => 32_000,
    formats: ["wav"],
    async speak(speech) {
      const { text, model = "gemini-2.5-flash-preview-tts", voice = "Kore", key } = speech;
      const body = {
        contents: [{ parts: [{ text }] }],
        generationConfig: {
          responseModalities: ["AUDIO"],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
        },
      };
      const url = `${baseOf(speech, "https://generativelanguage.googleapis.com/v1beta")}/models/${encodeURIComponent(model)}:generateContent`;
      const answer = await jsonOf(
        "Gemini",
        await askService(speech, "Gemini", url, {
          headers: { "x-goog-api-key": key, ...JSON_TYPE },
          body: JSON.stringify(body),
        }),
      );
      const parts = listOf(objectOf(objectOf(listOf(answer["candidates"])[0])["content"])["parts"]).map((part) =>
        objectOf(objectOf(part)["inlineData"]),
      );
      const sound = parts.find(({ data }) => typeof data === "string");
      const rate = Number(/rate=(\d{4,6})/.exec(String(sound?.["mimeType"] ?? ""))?.[1] ?? 24_000);
      return wavOf(decoded(sound?.["data"], "base64", "Gemini"), rate);
    },
  },
  {
    name: "xai",
    longest: () => 15_000,
    formats: ["mp3", "wav"],
    async speak(speech) {
      const { settings, text, voice, format, key } = speech;
      const speed = within(speech.speed, 0.7, 1.5);
      const sample_rate = numberOf(settings["sample_rate"]) ?? 24_000;
      const output_format: JsonObject =
        format === "wav"
          ? { codec: "wav", sample_rate }
          : { codec: "mp3", sample_rate, bit_rate: numberOf(settings["bit_rate"]) ?? 128_000 };
      const body = definedFields({
        text,
        voice_id: voice ?? "eve",
        language: wordsOf(settings["language"]) ?? "en",
        output_format,
        speed: speed === undefined || speed === 1 ? undefined : speed,
      });
      return audioOf(
        await askService(speech, "xAI", `${baseOf(speech, "https://api.x.ai/v1")}/tts`, {
          headers: bearer(key),
          body: JSON.stringify(body),
        }),
        "xAI",
      );
    },
  },
];

/** The body as audio; rejects a web page or an error with a success status. */
async function audioOf(reply: FetchReply, label: string): Promise<Uint8Array> {
  const bytes = await reply.bytes();
  if (bytes.length === 0) throw new ToolFailure("failed", `${label} sent empty audio.`);
  if (/^(?:text\/|application\/(?:json|xml|xhtml))/.test(reply.headers["content-type"] ?? ""))
    throw new ToolFailure("failed", `${label} sent no audio but ${reply.headers["content-type"]}.`, {
      from: wordsOfHost(reply.url),
    });
  return bytes;
}

function decoded(value: Json | undefined, encoding: "hex" | "base64", label: string): Uint8Array {
  const bytes = typeof value === "string" ? Buffer.from(value, encoding) : Buffer.alloc(0);
  if (bytes.length === 0) throw new ToolFailure("failed", `${label} sent no audio.`);
  return bytes;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

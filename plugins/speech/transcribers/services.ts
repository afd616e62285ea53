import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { definedFields, ToolFailure } from "hermes-agent/plugin";
import { askService, jsonOf } from "../ask-service.ts";
import { wordsOf } from "../settings.ts";
import type { Ear, Received } from "./transcriber.ts";

interface Service {
  readonly label: string;
  readonly keys: readonly string[];
  readonly base: string;
  readonly baseEnv?: string;
  readonly path: string;
  readonly model?: string;
  readonly more?: { readonly [field: string]: string };
}

const TRANSCRIPTIONS = "/audio/transcriptions";

/** Services that receive audio and return `{ text }`. */
export const SERVICES: { readonly [name: string]: Ear } = {
  groq: service("groq", {
    label: "Groq",
    keys: ["GROQ_API_KEY"],
    base: "https://api.groq.com/openai/v1",
    baseEnv: "GROQ_BASE_URL",
    path: TRANSCRIPTIONS,
    model: "whisper-large-v3-turbo",
  }),
  openai: service("openai", {
    label: "OpenAI",
    keys: ["VOICE_TOOLS_OPENAI_KEY", "OPENAI_API_KEY"],
    base: "https://api.openai.com/v1",
    baseEnv: "STT_OPENAI_BASE_URL",
    path: TRANSCRIPTIONS,
    model: "whisper-1",
  }),
  mistral: service("mistral", {
    label: "Mistral",
    keys: ["MISTRAL_API_KEY"],
    base: "https://api.mistral.ai/v1",
    path: TRANSCRIPTIONS,
    model: "voxtral-mini-latest",
  }),
  xai: service("xai", {
    label: "xAI",
    keys: ["XAI_API_KEY"],
    base: "https://api.x.ai/v1",
    baseEnv: "XAI_STT_BASE_URL",
    path: "/stt",
    more: { format: "true" },
  }),
};

const TYPES: { readonly [ending: string]: string } = {
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".mp4": "audio/mp4",
  ".wav": "audio/wav",
  ".webm": "audio/webm",
  ".flac": "audio/flac",
  ".aac": "audio/aac",
};

function service(name: string, { label, keys, base, baseEnv, path, model, more = {} }: Service): Ear {
  return async (received) => {
    const { file, settings, env } = received;
    const key = keys.map((name) => env(name)).find((value) => value !== undefined && value !== "");
    if (key === undefined) throw new ToolFailure("unavailable", `${label} needs ${keys.join(" or ")}.`);
    const own = wordsOf(settings["base_url"]);
    const where = (own ?? (baseEnv === undefined ? undefined : env(baseEnv)) ?? base).replace(/\/+$/, "");
    const chosen = received.model ?? model;
    const fields = {
      ...definedFields({ model: chosen }),
      ...languageOf(received, path === TRANSCRIPTIONS ? undefined : "en"),
      ...more,
    };
    const form = formOf(
      fields,
      basename(file),
      TYPES[extname(file).toLowerCase()] ?? "audio/ogg",
      await readFile(file),
    );
    const reply = await askService(received, label, `${where}${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": form.type },
      body: form.body,
      configured: own === undefined ? baseEnv : `stt.${name}.base_url`,
    });
    const { text } = await jsonOf(label, reply);
    if (typeof text !== "string") throw new ToolFailure("failed", `${label} sent no text.`);
    return text;
  };
}

function languageOf({ language }: Received, otherwise: string | undefined): { readonly language?: string } {
  const named = language ?? otherwise;
  return named === undefined ? {} : { language: named };
}

/** `multipart/form-data`. Services detect the format by the file extension and know `.oga` as `.ogg`. */
function formOf(
  fields: { readonly [name: string]: string },
  name: string,
  type: string,
  bytes: Uint8Array,
): { readonly type: string; readonly body: Uint8Array } {
  const edge = `hermes${randomBytes(16).toString("hex")}`;
  const plain = name.replaceAll(/[^\w.-]/g, "_").replace(/\.oga$|\.opus$/i, ".ogg");
  const head = Object.entries(fields)
    .map(([field, value]) => `--${edge}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`)
    .join("");
  const file = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="${plain}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${edge}`,
    body: Buffer.concat([Buffer.from(head + file), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]),
  };
}

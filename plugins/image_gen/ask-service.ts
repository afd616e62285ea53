import {
  ToolFailure,
  wordsOfHost,
  isObject,
  type FetchReply,
  type GuardedFetch,
  type ImageOptions,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";

export interface Asked {
  readonly prompt: string;
  readonly model: string;
  readonly aspect_ratio: ImageOptions["aspect_ratio"];
  /** The key. It is used only in one header. */
  readonly secret: string;
  readonly fetch: GuardedFetch;
}

export interface Answered {
  readonly b64: string;
  readonly extra?: JsonObject;
}

const REPLY_BYTES = 60_000_000;
const PICTURE_BYTES = 25_000_000;

/**
 * Sends one request with a key. A redirect is an error, because the key is only for this address.
 * @throws {ToolFailure} with the service's error.
 */
export async function post(
  { fetch, secret }: Asked,
  url: string,
  body: JsonObject,
  timeoutMs: number,
  {
    accept = "application/json",
    scheme = "Bearer",
    configured,
  }: { readonly accept?: string; readonly scheme?: "Bearer" | "Key"; readonly configured?: string } = {},
): Promise<FetchReply> {
  const reply = await fetch(url, {
    method: "POST",
    headers: { authorization: `${scheme} ${secret}`, "content-type": "application/json", accept },
    body: JSON.stringify(body),
    timeoutMs,
    maxBytes: REPLY_BYTES,
    maxRedirects: 0,
    configured,
  });
  if (reply.status >= 200 && reply.status < 300) return reply;
  const message = reasonOf(await reply.text().catch(() => ""));
  throw new ToolFailure(
    reply.status === 401 || reply.status === 403 ? "auth_error" : "api_error",
    `it answered ${reply.status}${message}`,
    message === "." ? {} : { from: wordsOfHost(url) },
  );
}

/** The first image of `{ data | images: [{ b64_json | url, revised_prompt }] }`. */
export async function firstPicture(asked: Asked, reply: FetchReply): Promise<Answered> {
  const first = firstOf(await reply.json());
  const { b64_json, url, revised_prompt } = first;
  const b64 =
    typeof b64_json === "string" && b64_json !== ""
      ? b64_json
      : typeof url === "string"
        ? await download(asked, url)
        : undefined;
  if (b64 === undefined) throw new ToolFailure("empty_response", "it sent neither an image nor an image URL.");
  return { b64: picture(b64), extra: typeof revised_prompt === "string" ? { revised_prompt } : undefined };
}

/** Checks that base64 data is an image, and returns it. */
export function picture(b64: string): string {
  const head = Buffer.from(b64.slice(0, 32), "base64").toString("latin1");
  if (!/^(?:\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP)/s.test(head))
    throw new ToolFailure("invalid_response", "it sent invalid image data.");
  return b64;
}

function firstOf(answer: Json | undefined): JsonObject {
  const data = isObject(answer) ? (answer["data"] ?? answer["images"]) : undefined;
  const first: Json | undefined = Array.isArray(data) ? (data as readonly Json[])[0] : undefined;
  if (!isObject(first)) throw new ToolFailure("empty_response", "it sent no image.");
  return first;
}

/** Downloads an image at once, because its URL expires within minutes. Sends no key. */
async function download({ fetch }: Asked, url: string): Promise<string> {
  const reply = await fetch(url, { maxBytes: PICTURE_BYTES, timeoutMs: 60_000 });
  if (reply.status !== 200)
    throw new ToolFailure("unreachable", `the image cannot be downloaded (status ${reply.status}).`);
  return Buffer.from(await reply.bytes()).toString("base64");
}

/** The service's error message: `: The prompt was rejected.` */
function reasonOf(text: string): string {
  let message: Json | undefined;
  try {
    const { error, detail } = JSON.parse(text) as JsonObject;
    message = isObject(error) ? error["message"] : (error ?? detail);
  } catch {
    message = undefined; // A proxy's page is of no use to a model.
  }
  return typeof message === "string" && message !== "" ? `: ${message.replaceAll(/\s+/g, " ").slice(0, 300)}` : ".";
}

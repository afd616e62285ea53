import { createHash, randomBytes } from "node:crypto";
import { extname } from "node:path";
import {
  definedFields,
  ToolFailure,
  objectOf,
  wordsOfHost,
  type FetchReply,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";
import type { Element } from "../wire/messages.ts";
import { apiAddress, type Token, type YuanbaoPorts } from "../wire/sign-token.ts";
import { cosSignature } from "./cos-signature.ts";
import { pictureSize } from "./picture-size.ts";
import type { ReadFile } from "./read-files.ts";

const PATH = "/api/resource/genUploadInfo";
const UPLOAD_MS = 120_000;
const HOLDS_S = 3_600;
const MAX_BYTES = 1_000_000;
const ANY = "application/octet-stream";
/** File extensions of pictures, with the MIME type and the service's number for it. */
const PICTURES: { readonly [ending: string]: readonly [type: string, format: number] } = {
  ".jpg": ["image/jpeg", 1],
  ".jpeg": ["image/jpeg", 1],
  ".gif": ["image/gif", 2],
  ".png": ["image/png", 3],
  ".bmp": ["image/bmp", 4],
  ".webp": ["image/webp", 255],
};
const ORIGINAL = 1;

/** Uploads a file to the service's storage. @returns The fields that refer to it in a message. */
export async function uploadFile(
  { name, bytes }: ReadFile,
  token: Token,
  ports: YuanbaoPorts,
  signal: AbortSignal,
): Promise<Element> {
  const [type, pictureFormat] = PICTURES[extname(name).toLowerCase()] ?? [ANY, undefined];
  const url = await put(await placeFor(name, token, ports, signal), bytes, type, ports, signal);
  const uuid = createHash("md5").update(bytes).digest("hex");
  if (pictureFormat === undefined)
    return { type: "TIMFileElem", content: { uuid, url, fileName: name, bytes: bytes.length } };
  return {
    type: "TIMImageElem",
    content: { uuid, pictureFormat, pictures: [{ type: ORIGINAL, bytes: bytes.length, ...pictureSize(bytes), url }] },
  };
}

interface Place {
  readonly host: string;
  readonly path: string;
  readonly id: string;
  readonly key: string;
  readonly pass: string;
  readonly from: number;
  readonly until: number;
  /** Download URL of the file. */
  readonly url: string | undefined;
}

async function placeFor(name: string, { token, bot }: Token, ports: YuanbaoPorts, signal: AbortSignal): Promise<Place> {
  const route = ports.env("YUANBAO_ROUTE_ENV");
  const headers = definedFields({
    "content-type": "application/json",
    "x-token": token,
    "x-id": bot,
    "x-source": "web",
    "x-route-env": route,
  });
  const reply = await ports.fetch(`${apiAddress(ports)}${PATH}`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      fileName: name,
      fileId: randomBytes(16).toString("hex"),
      docFrom: "localDoc",
      docOpenId: "",
    }),
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    configured: "YUANBAO_API_DOMAIN",
    signal,
  });
  const text = await reply.text();
  if (reply.status !== 200) throw failed(name, `Yuanbao answered ${reply.status}.`);
  const answer = objectOf(parsed(text));
  const { code, msg } = answer;
  if (code !== undefined && code !== 0)
    throw failed(
      name,
      `Yuanbao refused it (${String(code)})${typeof msg === "string" ? `: ${msg.slice(0, 300)}` : "."}`,
      reply,
    );
  return placeOf(name, "data" in answer ? objectOf(answer["data"]) : answer);
}

function placeOf(name: string, data: JsonObject): Place {
  const text = (key: string): string => (typeof data[key] === "string" ? data[key] : "");
  const [bucket, location, id, key] = [
    text("bucketName"),
    text("location"),
    text("encryptTmpSecretId"),
    text("encryptTmpSecretKey"),
  ];
  // It becomes part of a host name.
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(bucket) || location === "" || id === "" || key === "")
    throw failed(name, "Yuanbao returned no storage location for it.");
  const now = Math.floor(Date.now() / 1000);
  const from = typeof data["startTime"] === "number" && data["startTime"] > 0 ? data["startTime"] : now;
  const until =
    typeof data["expiredTime"] === "number" && data["expiredTime"] > now ? data["expiredTime"] : now + HOLDS_S;
  const path = `/${location.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/")}`;
  return {
    host: `${bucket}.cos.accelerate.myqcloud.com`,
    path,
    id,
    key,
    pass: text("encryptToken"),
    from,
    until,
    url: text("resourceUrl") || undefined,
  };
}

async function put(
  place: Place,
  bytes: Uint8Array,
  type: string,
  { env, fetch }: YuanbaoPorts,
  signal: AbortSignal,
): Promise<string> {
  const base = (env("YUANBAO_UPLOAD_URL") ?? `https://${place.host}`).replace(/\/+$/, "");
  const signed = { "content-type": type, "x-cos-security-token": place.pass };
  const authorization = cosSignature({
    method: "put",
    path: place.path,
    headers: { ...signed, host: URL.parse(base)?.host ?? place.host },
    id: place.id,
    key: place.key,
    from: place.from,
    until: place.until,
  });
  const reply = await fetch(`${base}${place.path}`, {
    method: "PUT",
    headers: { ...signed, authorization },
    body: bytes,
    timeoutMs: UPLOAD_MS,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
    signal,
  });
  await reply.text();
  if (reply.status < 200 || reply.status >= 300)
    throw new ToolFailure("refused", `Yuanbao's storage answered ${reply.status} to the upload. Nothing was sent.`, {
      data: { status: reply.status },
    });
  return place.url ?? `https://${place.host}${place.path}`;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // An HTML page of a proxy.
  }
}

function failed(name: string, why: string, reply?: FetchReply): ToolFailure {
  return new ToolFailure(
    "refused",
    `Cannot upload ${name} to Yuanbao's storage: ${why} Nothing was sent.`,
    reply === undefined ? {} : { from: wordsOfHost(reply.url) },
  );
}

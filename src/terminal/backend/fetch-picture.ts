import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ToolFailure } from "../../contract/common/failure.ts";
import { PICTURE_BYTES, pictureOf } from "../../contract/providers/media.ts";
import type { ImagePart } from "../../contract/conversation/part.ts";
import type { ToolContext } from "../../contract/tools/tool.ts";
import { absolutePath } from "../../safety/paths/absolute-path.ts";
import { within } from "../../safety/paths/path-zones.ts";
import { judgePath } from "../../safety/paths/paths.ts";
import { picturePlace } from "../../safety/paths/image-source.ts";

const DEFAULT_DOWNLOAD_SECONDS = 30;

/**
 * The image at an address, a path of the session's terminal, or a `data:` address. Content that is no image is refused,
 * whatever its name.
 */
export async function fetchPicture(given: string, call: ToolContext): Promise<ImagePart> {
  const place = picturePlace(given);
  if (place.kind === "data") return inside(place.address);
  if (place.kind === "address") return pictureOf(await download(place.url, call), place.url);
  return pictureOf(await read(place.path, call), place.path);
}

function inside(place: string): ImagePart {
  const [, base64] = /^data:[^,]*;base64,([A-Za-z0-9+/=\s]+)$/i.exec(place) ?? [];
  if (base64 === undefined) throw new ToolFailure("bad_arguments", "The data: URL is not base64.");
  return pictureOf(Buffer.from(base64, "base64"), "The image in the call");
}

async function download(url: string, { fetch, config, signal }: ToolContext): Promise<Uint8Array> {
  const seconds = config("auxiliary.vision.download_timeout");
  const reply = await fetch(url, {
    signal,
    headers: { accept: "image/*" },
    maxBytes: PICTURE_BYTES,
    timeoutMs: (typeof seconds === "number" ? seconds : DEFAULT_DOWNLOAD_SECONDS) * 1000,
  });
  if (reply.status !== 200) throw new ToolFailure("unreachable", `${url} answered ${reply.status}, not with an image.`);
  return reply.bytes();
}

/** Files from chats and screenshots are on this machine, wherever the terminal is. */
async function read(given: string, call: ToolContext): Promise<Uint8Array> {
  const backend = await call.use("terminal");
  const saved = absolutePath(given, call.cwd, call.home);
  if (backend.elsewhere === true && within(saved, join(call.agentHome, "cache")) !== undefined)
    return readSaved(saved, call);
  const { files, cwd } = await backend.open(
    { key: call.taskId, cwd: backend.elsewhere === true ? undefined : call.cwd },
    call.signal,
  );
  const literal = absolutePath(given, cwd, call.home);
  const path = await files.resolve(literal);
  judge(path, literal, call);
  const stat = await files.stat(path);
  if (stat === undefined) throw notFound(given);
  if (stat.kind !== "file") throw new ToolFailure("bad_arguments", `${given} is not a file.`);
  if (stat.bytes > PICTURE_BYTES) throw tooLarge(given, stat.bytes);
  const bytes = await files.read(path, { from: 0, bytes: stat.bytes }, { judged: true });
  if (bytes === undefined) throw notFound(given);
  return bytes;
}

async function readSaved(literal: string, call: ToolContext): Promise<Uint8Array> {
  const path = await realpath(literal).catch(() => literal);
  if (within(path, await realpath(join(call.agentHome, "cache")).catch(() => "/nowhere")) === undefined)
    throw notFound(literal);
  judge(path, literal, call);
  const file = await open(path).catch(() => undefined);
  if (file === undefined) throw notFound(literal);
  try {
    const { size } = await file.stat();
    if (size > PICTURE_BYTES) throw tooLarge(literal, size);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function judge(path: string, literal: string, { home, agentHome }: ToolContext): void {
  const { answer, reason } = judgePath({ path, literal, access: "read", home, agentHome });
  if (answer !== "allow") throw new ToolFailure("blocked", reason);
}

function notFound(path: string): ToolFailure {
  return new ToolFailure("not_found", `No such file: ${path}.`);
}

function tooLarge(path: string, bytes: number): ToolFailure {
  return new ToolFailure(
    "bad_arguments",
    `${path} is ${Math.ceil(bytes / 1_000_000)} MB; an image may have at most ${PICTURE_BYTES / 1_000_000} MB.`,
    { hint: "Reduce its size first." },
  );
}

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import {
  authorOf,
  ToolFailure,
  type UntrustedSource,
  type Json,
  type JsonObject,
  type MediaBackend,
  type ToolContext,
} from "hermes-agent/plugin";
import { keepNewest } from "hermes-agent/terminal";

type Kind = "image" | "video";

const FOLDERS: { readonly [K in Kind]: string } = { image: "images", video: "videos" };
const ENDINGS: { readonly [K in Kind]: string } = { image: "png", video: "mp4" };

/**
 * The backend's result for the model: `{ success, image | video, … }` with a URL or the path of an existing file.
 * @throws {ToolFailure} with the backend's message when it failed.
 */
export async function makeMedia(
  kind: Kind,
  backend: MediaBackend,
  generate: () => Promise<string | JsonObject>,
  call: Pick<ToolContext, "agentHome" | "cwd" | "log" | "signal">,
): Promise<JsonObject> {
  if (backend.is_available !== undefined && !(await backend.is_available()))
    throw new ToolFailure(
      "unavailable",
      `The ${kind} backend "${backend.name}" is not available: a key or a program that it needs is missing.`,
      { hint: `Set ${kind}_gen.provider to use another.` },
    );
  const { b64, error_from, ...made } = answerOf(kind, await generated(kind, backend, generate, call));
  if (made["success"] === false) {
    const text = typeof made["error"] === "string" ? made["error"] : undefined;
    throw new ToolFailure("failed", text ?? `The ${kind} backend "${backend.name}" failed without a message.`, {
      data: made,
      from: error_from === null ? undefined : writerOf(error_from, `the ${kind} backend "${backend.name}"`),
    });
  }
  const at =
    typeof b64 === "string"
      ? await stored(kind, b64, backend.name, call.agentHome)
      : placeOf(kind, made[kind], backend.name, call);
  return { success: true, provider: backend.name, ...made, [kind]: at };
}

/** The message of a backend's error may be its service's text. */
async function generated(
  kind: Kind,
  { name }: MediaBackend,
  generate: () => Promise<string | JsonObject>,
  { log, signal }: Pick<ToolContext, "log" | "signal">,
): Promise<string | JsonObject> {
  try {
    return await generate();
  } catch (cause) {
    if (signal.aborted) throw cause;
    const {
      message,
      code = "failed",
      hint,
    } = cause as { readonly message: string; readonly code?: string; readonly hint?: string };
    if (!(cause instanceof ToolFailure)) log.error(`The ${kind} backend "${name}" threw.`, { cause });
    throw new ToolFailure(code, `The ${kind} backend "${name}" failed: ${message}`, {
      cause,
      from: authorOf(cause) ?? { source: `the ${kind} backend "${name}"` },
      hint,
    });
  }
}

function writerOf(text: Json | undefined, otherwise: string): UntrustedSource {
  const { source, host } = typeof text === "object" && text !== null ? (text as JsonObject) : {};
  return typeof source === "string" && source !== ""
    ? { source, host: typeof host === "string" ? host : undefined }
    : { source: otherwise };
}

/** A backend may return only a path. */
function answerOf(kind: Kind, given: string | JsonObject): JsonObject {
  const answer: JsonObject = typeof given === "string" ? { success: true, [kind]: given } : given;
  const place = answer[kind];
  return typeof place === "string" && place.startsWith("data:") ? { ...answer, b64: place } : answer;
}

function placeOf(kind: Kind, place: unknown, name: string, { cwd }: { readonly cwd: string }): string {
  if (typeof place !== "string" || place === "")
    throw new ToolFailure("failed", `The ${kind} backend "${name}" reported success but returned no ${kind}.`);
  if (/^https?:\/\//i.test(place)) return place;
  const path = isAbsolute(place) ? place : resolve(cwd, place);
  if (!existsSync(path))
    throw new ToolFailure("failed", `The ${kind} backend "${name}" returned ${path}, which does not exist.`);
  return path;
}

/** Saves bytes as a file in the agent's home. */
async function stored(kind: Kind, given: string, name: string, home: string): Promise<string> {
  const parts = /^data:[\w.-]+\/([\w.+-]+);base64,(.*)$/s.exec(given);
  const bytes = Buffer.from(parts?.[2] ?? given, "base64");
  if (bytes.length === 0) throw new ToolFailure("failed", `The ${kind} backend "${name}" returned an empty ${kind}.`);
  const folder = join(home, "cache", FOLDERS[kind]);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const when = new Date().toISOString().replaceAll(/[-:]/g, "").replace("T", "_").slice(0, 15);
  // The name begins with the time: `fal_` and similar prefixes look like keys, which are masked everywhere.
  const file = join(
    folder,
    `${when}_${randomBytes(4).toString("hex")}_${name.replaceAll(/[^\w-]/g, "_")}.${(parts?.[1] ?? endingOf(bytes) ?? ENDINGS[kind]).replace("jpeg", "jpg").replace(/\W.*/, "")}`,
  );
  await writeFile(file, bytes, { mode: 0o600 });
  await keepNewest(folder, file, MAX_RETAINED);
  return file;
}

/** Maximum total bytes of saved media; the oldest files are deleted first. */
const MAX_RETAINED = 1_000_000_000;

/** Detects the type by the first bytes. */
function endingOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpg";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "webp";
  return head.startsWith("GIF8") ? "gif" : undefined;
}

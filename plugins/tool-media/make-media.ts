import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { ToolFailure, type JsonObject, type MediaBackend, type ToolContext } from "hermes-agent/plugin";

type Kind = "image" | "video";

const FOLDERS: { readonly [K in Kind]: string } = { image: "images", video: "videos" };
const ENDINGS: { readonly [K in Kind]: string } = { image: "png", video: "mp4" };

/**
 * What a backend made, as the model is told: `{ success, image | video, … }` with an address or the path of a file that is there.
 * @throws {ToolFailure} with the backend's own words when it made nothing.
 */
export async function makeMedia(kind: Kind, backend: MediaBackend, generate: () => Promise<string | JsonObject>, call: Pick<ToolContext, "agentHome" | "cwd" | "log">): Promise<JsonObject> {
  if (backend.is_available !== undefined && !(await backend.is_available())) throw new ToolFailure("unavailable", `The ${kind} backend "${backend.name}" cannot be used: a key or a program it needs is missing.`, { hint: `${kind}_gen.provider chooses another.` });
  const given = await generate();
  const { b64, ...made } = answerOf(kind, given);
  if (made["success"] === false) throw new ToolFailure("failed", typeof made["error"] === "string" ? made["error"] : `The ${kind} backend "${backend.name}" made nothing.`, { data: made });
  const at = typeof b64 === "string" ? await stored(kind, b64, backend.name, call.agentHome) : placeOf(kind, made[kind], backend.name, call);
  return { success: true, provider: backend.name, ...made, [kind]: at };
}

/** A backend may answer with no more than a path. */
function answerOf(kind: Kind, given: string | JsonObject): JsonObject {
  const answer: JsonObject = typeof given === "string" ? { success: true, [kind]: given } : given;
  const place = answer[kind];
  return typeof place === "string" && place.startsWith("data:") ? { ...answer, b64: place } : answer;
}

function placeOf(kind: Kind, place: unknown, name: string, { cwd }: { readonly cwd: string }): string {
  if (typeof place !== "string" || place === "") throw new ToolFailure("failed", `The ${kind} backend "${name}" says it succeeded and names no ${kind}.`);
  if (/^https?:\/\//i.test(place)) return place;
  const path = isAbsolute(place) ? place : resolve(cwd, place);
  if (!existsSync(path)) throw new ToolFailure("failed", `The ${kind} backend "${name}" names ${path}, and there is no such file.`);
  return path;
}

/** Bytes become a file of the agent's home. */
async function stored(kind: Kind, given: string, name: string, home: string): Promise<string> {
  const parts = /^data:[\w.-]+\/([\w.+-]+);base64,(.*)$/s.exec(given);
  const bytes = Buffer.from(parts?.[2] ?? given, "base64");
  if (bytes.length === 0) throw new ToolFailure("failed", `The ${kind} backend "${name}" sent an empty ${kind}.`);
  const folder = join(home, "cache", FOLDERS[kind]);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const when = new Date().toISOString().replaceAll(/[-:]/g, "").replace("T", "_").slice(0, 15);
  // Its time first: `fal_` and the like begin keys, which are masked wherever they stand.
  const file = join(folder, `${when}_${randomBytes(4).toString("hex")}_${name.replaceAll(/[^\w-]/g, "_")}.${(parts?.[1] ?? endingOf(bytes) ?? ENDINGS[kind]).replace("jpeg", "jpg").replace(/\W.*/, "")}`);
  await writeFile(file, bytes, { mode: 0o600 });
  await keepNewest(folder, file);
  return file;
}

/** What is kept of what backends sent, in bytes; the oldest goes first. */
const MOST_KEPT = 1_000_000_000;

async function keepNewest(folder: string, made: string): Promise<void> {
  const files = await Promise.all((await readdir(folder)).map(async (name) => ({ path: join(folder, name), ...(await stat(join(folder, name)).then(({ size, mtimeMs }) => ({ size, mtimeMs }), () => ({ size: 0, mtimeMs: 0 }))) })));
  let kept = 0;
  for (const { path, size } of files.toSorted((a, b) => (a.path === made ? -1 : b.path === made ? 1 : b.mtimeMs - a.mtimeMs))) {
    kept += size;
    if (kept > MOST_KEPT && path !== made) await rm(path, { force: true });
  }
}

/** By the first bytes. */
function endingOf(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG")) return "png";
  if (head.startsWith("\xff\xd8\xff")) return "jpg";
  if (head.startsWith("RIFF") && head.endsWith("WEBP")) return "webp";
  return head.startsWith("GIF8") ? "gif" : undefined;
}

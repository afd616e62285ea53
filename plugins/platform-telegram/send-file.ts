import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { SendFileOptions } from "hermes-agent/plugin";
import type { UploadedFile } from "./multipart.ts";

export type FileWay = "image" | "voice" | "video" | "document";

export interface FileRequest {
  readonly method: string;
  /** The caption is apart: its marks may be refused. */
  readonly caption: string;
  readonly file: UploadedFile;
}

/** The Bot API takes no larger pictures. */
const MAX_PHOTO_BYTES = 10_000_000;

/** How the Bot API is asked to show a file. */
export async function fileRequest(
  way: FileWay,
  path: string,
  { file_name, caption = "" }: Pick<SendFileOptions, "file_name" | "caption">,
): Promise<FileRequest> {
  const { size } = await stat(path);
  const [method, field] = methodOf(way, extname(path).toLowerCase(), size);
  return { method, caption, file: { field, name: file_name ?? basename(path), bytes: await readFile(path) } };
}

/** The same as a file that nothing is shown of: for a picture that Telegram does not take as one. */
export function asDocument({ file, caption }: FileRequest): FileRequest {
  return { method: "sendDocument", caption, file: { ...file, field: "document" } };
}

function methodOf(way: FileWay, ending: string, bytes: number): readonly [method: string, field: string] {
  if (way === "image" && ending === ".gif") return ["sendAnimation", "animation"];
  if (way === "image" && bytes <= MAX_PHOTO_BYTES) return ["sendPhoto", "photo"];
  if (way === "voice") return ["sendVoice", "voice"];
  if (way === "video") return ["sendVideo", "video"];
  return ending === ".mp3" || ending === ".m4a" ? ["sendAudio", "audio"] : ["sendDocument", "document"];
}

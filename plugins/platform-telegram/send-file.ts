import { readFile, stat } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { SendFileOptions } from "hermes-agent/plugin";
import type { UploadedFile } from "hermes-agent/platform";

export type FileWay = "image" | "voice" | "video" | "document";

export interface FileRequest {
  readonly method: string;
  /** Separate from the parameters, because Telegram may refuse its markup. */
  readonly caption: string;
  readonly file: UploadedFile;
}

/** The Bot API accepts no larger photos. */
const MAX_PHOTO_BYTES = 10_000_000;

/** The Bot API request for a file, by its kind. */
export async function fileRequest(
  way: FileWay,
  path: string,
  { file_name, caption = "" }: Pick<SendFileOptions, "file_name" | "caption">,
): Promise<FileRequest> {
  const { size } = await stat(path);
  const [method, field] = methodOf(way, extname(path).toLowerCase(), size);
  return { method, caption, file: { field, name: file_name ?? basename(path), bytes: await readFile(path) } };
}

/** Sends the file as a document, for media that Telegram refuses. */
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

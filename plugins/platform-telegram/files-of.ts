import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Json } from "hermes-agent/plugin";
import type { BotApi } from "./bot-api.ts";
import type { FileOf, Message } from "./telegram-types.ts";

/** The Bot API does not offer larger files. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Downloads the files of a message into the home's cache. A failure becomes a note in the message. */
export async function filesOf(
  message: Message,
  api: BotApi,
  home: string,
): Promise<{ readonly paths: readonly string[]; readonly notes: readonly string[] }> {
  const found = fileIn(message);
  if (found === undefined) return { paths: [], notes: [] };
  const { folder, file } = found;
  try {
    if ((file.file_size ?? 0) > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES >> 20} MB`);
    const output = (await api.call("getFile", { file_id: file.file_id })) as { readonly [key: string]: Json } | null;
    const place = String(output?.["file_path"] ?? "");
    if (!/^[\w./-]+$/.test(place) || place.includes("..")) throw new Error("Telegram returned no valid path for it");
    const bytes = await api.download(place, MAX_BYTES);
    const into = join(home, "cache", folder);
    await mkdir(into, { recursive: true });
    const path = join(into, nameOf(file, place));
    await writeFile(path, bytes);
    return { paths: [path], notes: [] };
  } catch (cause) {
    return { paths: [], notes: [`[Attached file that could not be downloaded: ${(cause as Error).message}]`] };
  }
}

function fileIn({
  photo,
  document,
  video,
  animation,
  audio,
  voice,
  sticker,
}: Message): { readonly folder: string; readonly file: FileOf } | undefined {
  const [folder, file] =
    photo !== undefined
      ? ["images", photo.at(-1)]
      : sticker !== undefined
        ? ["images", sticker]
        : (video ?? animation) !== undefined
          ? ["videos", video ?? animation]
          : (voice ?? audio) !== undefined
            ? ["audio", voice ?? audio]
            : ["documents", document];
  return file === undefined ? undefined : { folder, file };
}

/** A unique id, followed by the sender's file name if that is a valid name. */
function nameOf({ file_unique_id, file_name = "" }: FileOf, place: string): string {
  const clean = basename(file_name)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .slice(-80);
  const unique = file_unique_id.replaceAll(/[^\w-]/g, "").slice(0, 40);
  return clean === "" || clean.startsWith(".") ? `telegram_${unique}${extname(place)}` : `telegram_${unique}_${clean}`;
}

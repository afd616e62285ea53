import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { Json } from "hermes-agent/plugin";
import type { BotApi } from "./bot-api.ts";
import type { FileOf, Message } from "./telegram-types.ts";

/** The Bot API hands out no larger ones. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Fetches what came with a message into the home's cache. What cannot be had is told in words. */
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
    if (!/^[\w./-]+$/.test(place) || place.includes("..")) throw new Error("Telegram tells no place of it");
    const bytes = await api.download(place, MAX_BYTES);
    const into = join(home, "cache", folder);
    await mkdir(into, { recursive: true });
    const path = join(into, nameOf(file, place));
    await writeFile(path, bytes);
    return { paths: [path], notes: [] };
  } catch (cause) {
    return { paths: [], notes: [`[A file came with it and could not be fetched: ${(cause as Error).message}]`] };
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

/** Its sender's name for it, as far as that is a name, behind an id that makes it the only one. */
function nameOf({ file_unique_id, file_name = "" }: FileOf, place: string): string {
  const clean = basename(file_name)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .slice(-80);
  const unique = file_unique_id.replaceAll(/[^\w-]/g, "").slice(0, 40);
  return clean === "" || clean.startsWith(".") ? `telegram_${unique}${extname(place)}` : `telegram_${unique}_${clean}`;
}

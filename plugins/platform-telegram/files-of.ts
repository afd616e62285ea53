import { isObject } from "hermes-agent/plugin";
import { receiveFiles, type OfferedFile, type ReceivedFiles } from "hermes-agent/platform";
import type { BotApi } from "./bot-api.ts";
import type { FileOf, Message } from "./telegram-types.ts";

/** The Bot API does not offer larger files. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Downloads the files of a message into the home's cache. A failure becomes a note in the message. */
export async function filesOf(message: Message, api: BotApi, home: string): Promise<ReceivedFiles> {
  const found = fileIn(message);
  if (found === undefined) return { paths: [], voice: [], notes: [] };
  return receiveFiles([found.offered], {
    home,
    platform: "telegram",
    maxBytes: MAX_BYTES,
    async fetch(_, maxBytes) {
      const output = await api.call("getFile", { file_id: found.file.file_id });
      const place = isObject(output) ? String(output["file_path"] ?? "") : "";
      if (!/^[\w./-]+$/.test(place) || place.includes("..")) throw new Error("Telegram returned no valid path for it");
      return api.download(place, maxBytes);
    },
  });
}

function fileIn(message: Message): { readonly offered: OfferedFile; readonly file: FileOf } | undefined {
  const { photo, document, video, animation, audio, voice, sticker } = message;
  const [type, file] =
    photo !== undefined
      ? ["image/jpeg", photo.at(-1)]
      : sticker !== undefined
        ? ["image/webp", sticker]
        : (video ?? animation) !== undefined
          ? ["video/mp4", video ?? animation]
          : (voice ?? audio) !== undefined
            ? [voice === undefined ? "audio/mpeg" : "audio/ogg", voice ?? audio]
            : [document?.mime_type, document];
  if (file === undefined) return undefined;
  const { file_unique_id: id, file_name: name, file_size: size } = file;
  return { file, offered: { id, name, size, type, voice: voice !== undefined } };
}

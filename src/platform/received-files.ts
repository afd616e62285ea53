import { mkdir, writeFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";

/** A file in a message of a chat service. */
export interface OfferedFile {
  /** The service's id, unique on the platform. */
  readonly id: string;
  /** The sender's name for it. */
  readonly name?: string;
  /** MIME type. */
  readonly type?: string;
  /** In bytes, as the service says. */
  readonly size?: number;
  /** The user spoke it as a voice message. */
  readonly voice?: boolean;
}

export interface ReceivedFiles {
  /** For `media_urls`. */
  readonly paths: readonly string[];
  /** For `voice`: those of `paths` that are voice messages. */
  readonly voice: readonly string[];
  /** One line for each file that could not be fetched, for the text of the message. */
  readonly notes: readonly string[];
}

export interface ReceiveOptions {
  /** `ctx.home`. */
  readonly home: string;
  /** Name of the platform, for file names. */
  readonly platform: string;
  readonly maxBytes: number;
  /** Fetches the bytes; it must not return more than `maxBytes`. */
  fetch(file: OfferedFile, maxBytes: number): Promise<Uint8Array>;
}

/**
 * Downloads the files of a message into the cache of the home. A failure becomes a note and rejects nothing. Fetch the
 * files of users only if `config.welcome` admits them.
 */
export async function receiveFiles(
  files: readonly OfferedFile[],
  { home, platform, maxBytes, fetch }: ReceiveOptions,
): Promise<ReceivedFiles> {
  const results = await Promise.all(
    files.map(async (file) => {
      try {
        if ((file.size ?? 0) > maxBytes) throw new Error(tooLarge(maxBytes));
        const bytes = await fetch(file, maxBytes);
        if (bytes.length > maxBytes) throw new Error(tooLarge(maxBytes));
        const folder = join(home, "cache", folderOf(file));
        await mkdir(folder, { recursive: true });
        const path = join(folder, fileName(platform, file));
        await writeFile(path, bytes);
        return { path, voice: file.voice === true };
      } catch (cause) {
        return { note: `[Attached file that could not be downloaded: ${(cause as Error).message}]` };
      }
    }),
  );
  return {
    paths: results.flatMap(({ path }) => path ?? []),
    voice: results.flatMap(({ path, voice }) => (voice === true ? (path ?? []) : [])),
    notes: results.flatMap(({ note }) => note ?? []),
  };
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${Math.floor(maxBytes / 1_000_000)} MB`;
}

function folderOf({ type = "", name = "", voice }: OfferedFile): string {
  const ending = extname(name).toLowerCase();
  if (voice === true || type.startsWith("audio/") || /\.(?:mp3|ogg|oga|opus|m4a|wav|flac|amr)$/.test(ending))
    return "audio";
  if (type.startsWith("image/") || /\.(?:png|jpe?g|gif|webp|bmp|tiff?)$/.test(ending)) return "images";
  if (type.startsWith("video/") || /\.(?:mp4|mov|webm|mkv|avi)$/.test(ending)) return "videos";
  return "documents";
}

/** A unique id, then the sender's name for the file if that is a valid name. */
function fileName(platform: string, { id, name = "", type = "" }: OfferedFile): string {
  const unique = id.replaceAll(/[^\w-]/g, "").slice(-60);
  const clean = basename(name.replaceAll("\\", "/"))
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .slice(-80);
  if (clean !== "" && !clean.startsWith(".")) return `${platform}_${unique}_${clean}`;
  return `${platform}_${unique}${ENDINGS[type.split(";")[0]!.trim()] ?? ""}`;
}

const ENDINGS: { readonly [type: string]: string } = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "audio/ogg": ".ogg",
  "audio/opus": ".opus",
  "audio/mpeg": ".mp3",
  "audio/mp4": ".m4a",
  "audio/amr": ".amr",
  "audio/wav": ".wav",
  "video/mp4": ".mp4",
  "application/pdf": ".pdf",
  "text/plain": ".txt",
};

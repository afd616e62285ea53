import { extname } from "node:path";
import type { OutgoingFile } from "../../contract/conversation/outgoing-file.ts";

const IMAGES = new Set([".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"]);
const VIDEOS = new Set([".mp4", ".mov", ".avi", ".mkv", ".webm"]);
const SOUNDS = new Set([".mp3", ".wav", ".ogg", ".oga", ".opus", ".m4a", ".flac"]);
/** Formats that chats play as a voice message. */
const VOICES = new Set([".ogg", ".oga", ".opus", ".mp3", ".m4a"]);

/** How a chat shows a file. */
export function kindOfFile(
  name: string,
  { voice, asDocument }: { readonly voice: boolean; readonly asDocument: boolean },
): OutgoingFile["kind"] {
  const ending = extname(name).toLowerCase();
  if (voice && VOICES.has(ending)) return "voice";
  if (asDocument) return "document";
  return IMAGES.has(ending) ? "image" : VIDEOS.has(ending) ? "video" : SOUNDS.has(ending) ? "audio" : "document";
}

import { basename, extname } from "node:path";
import { UserError } from "../contract/failure.ts";
import type { ImagePart } from "../contract/part.ts";

/** An image that goes along with a message. */
export interface Attachment {
  readonly name: string;
  readonly part: ImagePart;
}

/** Above this, services refuse a request as a whole. */
const MAX_BYTES = 5 * 1024 * 1024;

/** What these bytes are, told by their beginning and not by a name. */
export function attachmentOf(name: string, data: Buffer): Attachment {
  const mediaType = typeOf(data);
  if (mediaType === undefined) throw new UserError(`"${name}" is no image that models read.`, { hint: `PNG, JPEG, GIF and WebP are${extname(name) === "" ? "" : `, not ${extname(name)}`}.` });
  if (data.length > MAX_BYTES) throw new UserError(`"${name}" is ${(data.length / 1024 / 1024).toFixed(1)} MB; services take images of up to ${MAX_BYTES / 1024 / 1024} MB.`, { hint: "Make it smaller first." });
  return { name: basename(name), part: { type: "image", mediaType, data: data.toString("base64") } };
}

function typeOf(data: Buffer): string | undefined {
  const head = data.subarray(0, 12).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

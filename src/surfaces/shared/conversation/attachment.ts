import { basename, extname } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { pictureType } from "../../../contract/providers/media.ts";
import type { ImagePart } from "../../../contract/conversation/part.ts";

/** An image attached to a message. */
export interface Attachment {
  readonly name: string;
  readonly part: ImagePart;
}

/** Model providers reject a request with a larger image. */
const MAX_BYTES = 5 * 1024 * 1024;

/** Detects the image type from the content, not from the name. */
export function attachmentOf(name: string, data: Buffer): Attachment {
  const mediaType = pictureType(data);
  if (mediaType === undefined)
    throw new UserError(`"${name}" is not an image that models can read.`, {
      hint: `Use PNG, JPEG, GIF or WebP${extname(name) === "" ? "" : `, not ${extname(name)}`}.`,
    });
  if (data.length > MAX_BYTES)
    throw new UserError(
      `"${name}" is ${(data.length / 1024 / 1024).toFixed(1)} MB; the limit is ${MAX_BYTES / 1024 / 1024} MB.`,
      { hint: "Resize or compress the image." },
    );
  return { name: basename(name), part: { type: "image", mediaType, data: data.toString("base64") } };
}

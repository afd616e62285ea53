import { basename, extname } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { pictureType } from "../../../contract/providers/media.ts";
import type { ImagePart } from "../../../contract/conversation/part.ts";

/** An image that goes along with a message. */
export interface Attachment {
  readonly name: string;
  readonly part: ImagePart;
}

/** Above this, services refuse a request as a whole. */
const MAX_BYTES = 5 * 1024 * 1024;

/** What these bytes are, told by their beginning and not by a name. */
export function attachmentOf(name: string, data: Buffer): Attachment {
  const mediaType = pictureType(data);
  if (mediaType === undefined)
    throw new UserError(`"${name}" is no image that models read.`, {
      hint: `PNG, JPEG, GIF and WebP are${extname(name) === "" ? "" : `, not ${extname(name)}`}.`,
    });
  if (data.length > MAX_BYTES)
    throw new UserError(
      `"${name}" is ${(data.length / 1024 / 1024).toFixed(1)} MB; services take images of up to ${MAX_BYTES / 1024 / 1024} MB.`,
      { hint: "Make it smaller first." },
    );
  return { name: basename(name), part: { type: "image", mediaType, data: data.toString("base64") } };
}

import { UserError } from "../../contract/common/failure.ts";
import {
  decodeBytes,
  encodeString,
  encodingName,
  UTF_8,
  type TextEncoding,
} from "../../contract/common/text-encoding.ts";

/** A text file of the user, in the encoding that the user's editor chose. */
export interface StoredText {
  /** The decoded text, without its byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** A file that is not there yet. */
export const NEW_TEXT: StoredText = { text: "", encoding: UTF_8 };

/** @throws {UserError} The bytes are no text. */
export function decodeStored(bytes: Uint8Array, file: string): StoredText {
  const decoded = decodeBytes(bytes);
  if (decoded === undefined)
    throw new UserError(`${file} is not text in an encoding that Hermes can read.`, {
      hint: "Save it as UTF-8. Nothing was changed.",
      exitCode: 78,
    });
  return decoded;
}

/**
 * A changed text, as the file's bytes.
 * @throws {UserError} The file's encoding does not have a character of the new text.
 */
export function encodeStored(text: string, encoding: TextEncoding, file: string): Uint8Array {
  const encoded = encodeString(text, encoding);
  if ("bytes" in encoded) return encoded.bytes;
  throw new UserError(
    `${file} is stored as ${encodingName(encoding)}, which does not have the character ${JSON.stringify(encoded.missing)}. Nothing was changed.`,
    { hint: "Save the file as UTF-8 first.", exitCode: 78 },
  );
}

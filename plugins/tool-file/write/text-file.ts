import { readEnds, withOwnEnds, type MixedEnds } from "./mixed-ends.ts";
import {
  decodeBytes,
  definedFields,
  encodeString,
  encodingName,
  ToolFailure,
  UTF_8,
  type TextEncoding,
} from "hermes-agent/plugin";

/** The on-disk format of a text file: encoding and line ends. */
export interface TextForm {
  readonly encoding: TextEncoding;
  /** Whether most of its lines end in CRLF. */
  readonly crlf: boolean;
  /** Set if the line ends are mixed. */
  readonly mixed?: MixedEnds;
}

export const PLAIN: TextForm = { encoding: UTF_8, crlf: false };

/** The text of a file with LF line ends and without a byte order mark; `undefined` when its bytes are no text. */
export function decodeText(bytes: Uint8Array): { text: string; form: TextForm } | undefined {
  const decoded = decodeBytes(bytes);
  if (decoded === undefined) return undefined;
  const { text, encoding } = decoded;
  const { crlf, lf } = countEnds(text);
  const form = definedFields({ encoding, crlf: crlf > lf, mixed: crlf > 0 && lf > 0 ? readEnds(text) : undefined });
  return { text: crlf > 0 ? text.replaceAll("\r\n", "\n") : text, form };
}

/**
 * Encodes a text in the given format. With mixed line ends, each line keeps its own.
 * @throws {ToolFailure} The encoding does not have a character of the text.
 */
export async function encodeText(text: string, form: TextForm): Promise<Uint8Array> {
  const plain = form.crlf || form.mixed !== undefined ? text.replaceAll("\r\n", "\n") : text;
  const lines =
    form.mixed !== undefined
      ? await withOwnEnds(plain, form.mixed, form.crlf)
      : form.crlf
        ? plain.replaceAll("\n", "\r\n")
        : plain;
  const encoded = encodeString(lines, form.encoding);
  if ("bytes" in encoded) return encoded.bytes;
  throw new ToolFailure(
    "bad_arguments",
    `The file is stored as ${encodingName(form.encoding)}, which does not have the character ${JSON.stringify(encoded.missing)}; nothing was changed.`,
    { hint: "Write the text without it, or convert the file to UTF-8 in the terminal first (iconv)." },
  );
}

/** Why a text cannot be stored in a format; `undefined` if it can. */
export async function whyNotEncoded(text: string, form: TextForm): Promise<ToolFailure | undefined> {
  try {
    await encodeText(text, form);
    return undefined;
  } catch (error) {
    if (error instanceof ToolFailure) return error;
    throw error;
  }
}

function countEnds(text: string): { readonly crlf: number; readonly lf: number } {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (at > 0 && text[at - 1] === "\r") crlf++;
    else lf++;
  }
  return { crlf, lf };
}

import { readEnds, withOwnEnds, type MixedEnds } from "./mixed-ends.ts";
import { definedFields } from "hermes-agent/plugin";

/** The on-disk format of a text file: byte order mark and line ends. */
export interface TextForm {
  /** Whether most of its lines end in CRLF. */
  readonly crlf: boolean;
  readonly bom: boolean;
  /** Set if the line ends are mixed. */
  readonly mixed?: MixedEnds;
}

export const PLAIN: TextForm = { crlf: false, bom: false };

/** The text of a file with LF line ends and without a byte order mark; `undefined` when it is not UTF-8. */
export function decodeText(bytes: Uint8Array): { text: string; form: TextForm } | undefined {
  let raw: string;
  try {
    raw = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8: editing it as text would damage it, so the caller refuses.
    return undefined;
  }
  const bom = raw.startsWith("\ufeff");
  const text = bom ? raw.slice(1) : raw;
  const { crlf, lf } = countEnds(text);
  const form = definedFields({ crlf: crlf > lf, bom, mixed: crlf > 0 && lf > 0 ? readEnds(text) : undefined });
  return { text: crlf > 0 ? text.replaceAll("\r\n", "\n") : text, form };
}

/** Encodes a text in the given format. With mixed line ends, each line keeps its own. */
export async function encodeText(text: string, form: TextForm): Promise<Uint8Array> {
  const plain = form.crlf || form.mixed !== undefined ? text.replaceAll("\r\n", "\n") : text;
  const lines =
    form.mixed !== undefined
      ? await withOwnEnds(plain, form.mixed, form.crlf)
      : form.crlf
        ? plain.replaceAll("\n", "\r\n")
        : plain;
  return Buffer.from(form.bom && !lines.startsWith("\ufeff") ? `\ufeff${lines}` : lines, "utf8");
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

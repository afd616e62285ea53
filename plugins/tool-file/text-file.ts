/** How a text file is written on disk, apart from its words. */
export interface TextForm {
  readonly crlf: boolean;
  readonly bom: boolean;
}

export const PLAIN: TextForm = { crlf: false, bom: false };

/** The words of a file with LF line ends and without a byte order mark; `undefined` when it is not UTF-8. */
export function decodeText(bytes: Uint8Array): { text: string; form: TextForm } | undefined {
  let raw: string;
  try {
    raw = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8: the caller says so, editing it as text would damage it.
    return undefined;
  }
  const bom = raw.startsWith("\ufeff");
  const text = bom ? raw.slice(1) : raw;
  const crlf = usesCrlf(text);
  return { text: crlf ? text.replaceAll("\r\n", "\n") : text, form: { crlf, bom } };
}

/** The bytes of a text in a given form. A lone line end becomes the file's own kind. */
export function encodeText(text: string, form: TextForm): Uint8Array {
  const lines = form.crlf ? text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") : text;
  return Buffer.from(form.bom && !lines.startsWith("\ufeff") ? `\ufeff${lines}` : lines, "utf8");
}

/** Most of its lines end in CRLF. A file of mixed ends that is mostly LF is left as it is. */
function usesCrlf(text: string): boolean {
  const first = text.indexOf("\n");
  if (first === -1) return false;
  let crlf = 0;
  let lf = 0;
  for (let at = first; at !== -1; at = text.indexOf("\n", at + 1)) {
    if (at > 0 && text[at - 1] === "\r") crlf++;
    else lf++;
  }
  return crlf > lf;
}

/** How a text file is stored. */
export interface TextEncoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be" | "gbk" | "latin-1" | "windows-1252";
  /** Whether a byte order mark precedes the text. */
  readonly bom: boolean;
  /** Some bytes are not UTF-8; each is a lone surrogate in the text (U+DC80 + byte - 0x80), so that it can be kept. */
  readonly damaged?: true;
}

export interface DecodedBytes {
  /** The decoded text, without its byte order mark. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

export const UTF_8: TextEncoding = { name: "utf-8", bom: false };

/**
 * The text of a file, in the encoding that its bytes show: a byte order mark, UTF-8, UTF-16, GBK if it is plausible
 * Chinese, otherwise one byte a character. Encoding the text again gives the same bytes.
 * @returns `undefined`: the bytes are no text.
 */
export function decodeBytes(bytes: Uint8Array): DecodedBytes | undefined {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0])) return undefined;
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return decodeWide(bytes, wide);
  const utf8 = decodeStrictly("utf-8", bytes);
  if (utf8 !== undefined)
    return utf8.startsWith("\ufeff")
      ? { text: utf8.slice(1), encoding: { name: "utf-8", bom: true } }
      : { text: utf8, encoding: UTF_8 };
  if (bytes.includes(0)) return undefined;
  const gbk = decodeChinese(bytes);
  if (gbk !== undefined) return { text: gbk, encoding: { name: "gbk", bom: false } };
  return decodeDamaged(bytes) ?? decodeSingle(bytes);
}

/**
 * The bytes of a text in an encoding.
 * @returns The first character that the encoding does not have, if there is one.
 */
export function encodeString(
  text: string,
  { name, bom, damaged }: TextEncoding,
): { readonly bytes: Uint8Array } | { readonly missing: string } {
  switch (name) {
    case "utf-8": {
      const whole = bom && !text.startsWith("\ufeff") ? `\ufeff${text}` : text;
      return { bytes: damaged === true ? encodeDamaged(whole) : new TextEncoder().encode(whole) };
    }
    case "utf-16le":
    case "utf-16be":
      return { bytes: encodeWide(bom ? `\ufeff${text}` : text, name === "utf-16le") };
    default:
      return encodeByTable(text, tableOf(name));
  }
}

/** A text file's content for reading only; "" for bytes that are no text. */
export function readableText(bytes: Uint8Array): string {
  return (decodeBytes(bytes)?.text ?? new TextDecoder().decode(bytes)).toWellFormed();
}

/** How a read names the encoding; `undefined` for UTF-8. */
export function encodingName({ name, damaged }: TextEncoding): string | undefined {
  if (damaged === true) return "utf-8 with invalid bytes";
  return name === "utf-8" ? undefined : name;
}

function wideEncoding(bytes: Uint8Array): TextEncoding | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) return { name: "utf-16le", bom: true };
  if (startsWith(bytes, [0xfe, 0xff])) return { name: "utf-16be", bom: true };
  if (bytes.length < 8 || bytes.length % 2 !== 0) return undefined;
  // Without a mark: in Latin text, one of the two bytes of a character is 0.
  const looked = Math.min(bytes.length, 1_000);
  const zeros = [0, 0];
  for (let at = 0; at < looked; at++) if (bytes[at] === 0) zeros[at % 2]!++;
  const share = (parity: 0 | 1): number => (2 * zeros[parity]!) / looked;
  const parity = share(1) > 0.9 && share(0) === 0 ? 1 : share(0) > 0.9 && share(1) === 0 ? 0 : undefined;
  if (parity === undefined) return undefined;
  // The other bytes are then printable.
  for (let at = 1 - parity; at < looked; at += 2) if (bytes[at]! < 9 || bytes[at] === 0x7f) return undefined;
  return { name: parity === 1 ? "utf-16le" : "utf-16be", bom: false };
}

function decodeWide(bytes: Uint8Array, encoding: TextEncoding): DecodedBytes | undefined {
  const text = decodeStrictly(encoding.name, bytes);
  if (text === undefined || /[\0-\x08\x0e-\x1a]/.test(text)) return undefined;
  return { text: encoding.bom ? text.slice(1) : text, encoding };
}

function encodeWide(text: string, little: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), little);
  return new Uint8Array(view.buffer);
}

function decodeStrictly(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const ENOUGH_COMMON = 0.85;
const LONG_TEXT = 30;
const FREQUENT = /[的一是不了在人有，。]/;

/** Texts in GBK: nearly all pairs of bytes are frequent characters or punctuation. */
function decodeChinese(bytes: Uint8Array): string | undefined {
  let pairs = 0;
  let common = 0;
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    const trail = bytes[++at];
    if (lead === 0x80 || lead === 0xff || trail === undefined || trail < 0x40 || trail === 0x7f || trail === 0xff)
      return undefined;
    pairs++;
    if (trail >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xb0 && lead <= 0xd7))) common++;
  }
  if (pairs < 2 || common / pairs < ENOUGH_COMMON) return undefined;
  const text = decodeStrictly("gbk", bytes);
  if (text === undefined || (pairs >= LONG_TEXT && !FREQUENT.test(text))) return undefined;
  const again = encodeByTable(text, tableOf("gbk"));
  return "bytes" in again && isSame(again.bytes, bytes) ? text : undefined;
}

/** UTF-8 in which some bytes are wrong, as in a log that was cut. */
function decodeDamaged(bytes: Uint8Array): DecodedBytes | undefined {
  const bom = startsWith(bytes, [0xef, 0xbb, 0xbf]);
  const pieces: string[] = [];
  let [right, wrong] = [0, 0];
  let from = bom ? 3 : 0;
  for (let at = from; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length > 1) right++;
    if (length > 0) at += length;
    else {
      pieces.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from, at)));
      pieces.push(String.fromCharCode(0xdc00 + bytes[at]!));
      wrong++;
      from = ++at;
    }
  }
  if ((right === 0 || right < wrong) && !bom) return undefined;
  pieces.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from)));
  return { text: pieces.join(""), encoding: { name: "utf-8", bom, damaged: true } };
}

/** Length of the UTF-8 sequence at a position; 0 if it is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return decodeStrictly("utf-8", bytes.subarray(at, at + length)) === undefined ? 0 : length;
}

function encodeDamaged(text: string): Uint8Array {
  const encoder = new TextEncoder();
  const bytes: number[] = [];
  let from = 0;
  for (const match of text.matchAll(/(?<![\ud800-\udbff])[\udc80-\udcff]/g)) {
    for (const byte of encoder.encode(text.slice(from, match.index))) bytes.push(byte);
    bytes.push(match[0].charCodeAt(0) - 0xdc00);
    from = match.index + 1;
  }
  for (const byte of encoder.encode(text.slice(from))) bytes.push(byte);
  return Uint8Array.from(bytes);
}

const MOST_ODD = 0.3;

function decodeSingle(bytes: Uint8Array): DecodedBytes | undefined {
  let odd = 0;
  let extended = false;
  for (const byte of bytes) {
    if ((byte >= 0x80 && byte < 0xc0) || (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27)) odd++;
    if (byte >= 0x80 && byte < 0xa0) extended = true;
  }
  // Letters are common, signs are not.
  if (odd / bytes.length > MOST_ODD && odd > 2) return undefined;
  const name = extended ? "windows-1252" : "latin-1";
  return { text: new TextDecoder("windows-1252").decode(bytes), encoding: { name, bom: false } };
}

type Table = ReadonlyMap<string, readonly number[]>;
const tables = new Map<TextEncoding["name"], Table>();

/** The bytes of each character above ASCII; made on first use. */
function tableOf(name: "gbk" | "latin-1" | "windows-1252"): Table {
  let table = tables.get(name);
  if (table === undefined) tables.set(name, (table = name === "gbk" ? chineseTable() : singleTable(name)));
  return table;
}

function singleTable(name: "latin-1" | "windows-1252"): Table {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder("windows-1252");
  for (let byte = name === "latin-1" ? 0xa0 : 0x80; byte <= 0xff; byte++)
    table.set(decoder.decode(Uint8Array.of(byte)), [byte]);
  return table;
}

function chineseTable(): Table {
  const table = new Map<string, readonly number[]>();
  const decoder = new TextDecoder("gbk");
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (character.length === 1 && character !== "\ufffd" && !table.has(character))
        table.set(character, [lead, trail]);
    }
  }
  return table;
}

function encodeByTable(text: string, table: Table): { readonly bytes: Uint8Array } | { readonly missing: string } {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else {
      const known = table.get(character);
      if (known === undefined) return { missing: character };
      bytes.push(...known);
    }
  }
  return { bytes: Uint8Array.from(bytes) };
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return bytes.length >= mark.length && mark.every((byte, at) => bytes[at] === byte);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

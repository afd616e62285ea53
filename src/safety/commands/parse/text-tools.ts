/** The output of simple text tools whose input and arguments are literal. */

/** `printf FORMAT ARG…`, for the formats that only move text. */
export function printfText(format: string, args: readonly string[]): string | undefined {
  let out = "";
  let next = 0;
  for (let round = 0; round < 200; round++) {
    const before = next;
    let i = 0;
    while (i < format.length) {
      const char = format[i]!;
      if (char === "\\") {
        const escape = readEscape(format, i, false);
        out += escape.text;
        i = escape.end;
      } else if (char === "%") {
        const spec = /^%([-+ #0]*)(\d*)(?:\.(\d+))?([%sbcdiouxXq])/.exec(format.slice(i, i + 24));
        if (!spec) return undefined;
        i += spec[0].length;
        if (spec[4] === "%") out += "%";
        else {
          const arg = args[next++] ?? "";
          out += formatOne(spec[4]!, spec[2]!, spec[3], spec[1]!, arg);
        }
      } else {
        out += char;
        i++;
      }
      if (out.length > 100_000) return undefined;
    }
    if (next >= args.length || next === before) return out;
  }
  return undefined;
}

function formatOne(kind: string, width: string, precision: string | undefined, flags: string, arg: string): string {
  let text = arg;
  if (kind === "b") text = unescape(arg);
  else if (kind === "c") text = arg.slice(0, 1);
  else if (kind !== "s" && kind !== "q") {
    const number = /^['"]/.test(arg)
      ? arg.charCodeAt(1)
      : Number(/^0[0-7]+$/.test(arg) ? Number.parseInt(arg, 8) : arg);
    const radix = kind === "o" ? 8 : kind === "x" || kind === "X" ? 16 : 10;
    text = Number.isFinite(number) ? Math.trunc(number).toString(radix) : "0";
    if (kind === "X") text = text.toUpperCase();
    if (flags.includes("0")) text = text.padStart(Math.min(Number(width), 100), "0");
  }
  if (kind === "s" && precision !== undefined) text = text.slice(0, Number(precision));
  const pad = Math.min(Number(width) || 0, 1000);
  return flags.includes("-") ? text.padEnd(pad) : text.padStart(pad);
}

/** Backslash escapes as `echo -e` and `printf %b` read them. */
export function unescape(text: string): string {
  let out = "";
  for (let i = 0; i < text.length;) {
    if (text[i] !== "\\") {
      out += text[i++];
      continue;
    }
    if (text[i + 1] === "c") return out;
    const escape = readEscape(text, i, true);
    out += escape.text;
    i = escape.end;
  }
  return out;
}

const SIMPLE: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
  "\\": "\\",
  '"': '"',
  "'": "'",
};

function readEscape(text: string, start: number, zeroOctal: boolean): { text: string; end: number } {
  const rest = text.slice(start + 1, start + 12);
  const octal = (zeroOctal ? /^0?([0-7]{1,3})/ : /^([0-7]{1,3})/).exec(rest);
  if (octal)
    return { text: String.fromCharCode(Number.parseInt(octal[1]!, 8) & 0xff), end: start + 1 + octal[0].length };
  const hex = /^(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|U([0-9a-f]{1,8}))/i.exec(rest);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
    return { text: code <= 0x10ffff ? String.fromCodePoint(code) : "", end: start + 1 + hex[0].length };
  }
  const simple = SIMPLE[rest[0] ?? ""];
  return simple === undefined ? { text: `\\${rest[0] ?? ""}`, end: start + 2 } : { text: simple, end: start + 2 };
}

export function decodeBase64(text: string): string {
  return Buffer.from(text.replace(/[^A-Za-z0-9+/=_-]/g, ""), "base64").toString("utf8");
}

export function decodeBase32(text: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  let bits = 0;
  let value = 0;
  const bytes: number[] = [];
  for (const char of text.toUpperCase()) {
    const index = alphabet.indexOf(char);
    if (index < 0) continue;
    value = ((value << 5) | index) & 0xffff;
    bits += 5;
    if (bits >= 8) bytes.push((value >> (bits -= 8)) & 0xff);
  }
  return Buffer.from(bytes).toString("utf8");
}

export function decodeHex(text: string): string {
  return Buffer.from(text.replace(/[^0-9a-f]/gi, ""), "hex").toString("utf8");
}

/** `tr SET1 SET2`, `tr -d SET`. */
export function translate(text: string, from: string, to: string | undefined): string | undefined {
  const first = characters(from);
  const second = to === undefined ? undefined : characters(to);
  if (!first || (to !== undefined && !second)) return undefined;
  const table = new Map<string, string>();
  first.forEach((char, index) => {
    if (!table.has(char)) table.set(char, second ? (second[index] ?? second.at(-1) ?? "") : "");
  });
  return [...text].map((char) => table.get(char) ?? char).join("");
}

const CLASSES: ReadonlyMap<string, string> = new Map([
  ["[:lower:]", "a-z"],
  ["[:upper:]", "A-Z"],
  ["[:digit:]", "0-9"],
  ["[:alpha:]", "A-Za-z"],
  ["[:space:]", " \\t\\n"],
  ["[:alnum:]", "A-Za-z0-9"],
]);

function characters(set: string): readonly string[] | undefined {
  const text = unescape(CLASSES.get(set) ?? set);
  const out: string[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i + 1] === "-" && i + 2 < text.length) {
      for (let code = text.charCodeAt(i); code <= text.charCodeAt(i + 2) && out.length < 600; code++)
        out.push(String.fromCharCode(code));
      i += 2;
    } else out.push(text[i]!);
  }
  return out.length < 600 ? out : undefined;
}

/** `cut -d: -f2,3`, `cut -c3-`, line by line. */
export function cutText(
  text: string,
  by: { readonly fields?: string; readonly characters?: string; readonly delimiter: string },
): string | undefined {
  const ranges = (by.fields ?? by.characters ?? "").split(",").map((range) => /^(\d*)(-?)(\d*)$/.exec(range));
  if (ranges.some((range) => range === null || (range[1] === "" && range[3] === ""))) return undefined;
  const wanted = (at: number): boolean =>
    ranges.some(
      (range) =>
        at >= Number(range![1] || 1) &&
        at <= (range![2] === "" ? Number(range![1]) : Number(range![3] || Number.MAX_SAFE_INTEGER)),
    );
  const lines = text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      if (by.fields === undefined) return [...line].filter((_, at) => wanted(at + 1)).join("");
      return line.includes(by.delimiter)
        ? line
            .split(by.delimiter)
            .filter((_, at) => wanted(at + 1))
            .join(by.delimiter)
        : line;
    });
  return `${lines.join("\n")}\n`;
}

/** `paste -s`, `paste -sd, -`: the lines one behind another. */
export function joinLines(text: string, delimiters: string): string | undefined {
  const signs = [...unescape(delimiters)];
  if (signs.length === 0 || /\\0/.test(delimiters)) return undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  return `${lines.map((line, at) => (at === 0 ? line : signs[(at - 1) % signs.length]! + line)).join("")}\n`;
}

/** `tr -s SET`: the same letter of it one behind another only once. */
export function squeeze(text: string, set: string): string | undefined {
  const letters = characters(set);
  return letters && [...text].filter((char, at, all) => char !== all[at - 1] || !letters.includes(char)).join("");
}

/** Makes invisible and misleading characters in a text visible before Hermes shows it to the user. */

const ZERO_WIDTH = new Set([
  0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x200b, 0x200c, 0x200d,
  0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x3164, 0xfeff, 0xffa0,
]);

function isHidden(code: number): boolean {
  if (code < 0x20) return code !== 0x09 && code !== 0x0a;
  if (code < 0x7f) return false;
  if (code < 0xa0) return true;
  if (code < 0x034f) return code === 0xad;
  return (
    ZERO_WIDTH.has(code) ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x206f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0xe000 && code <= 0xf8ff) ||
    (code >= 0xfff9 && code <= 0xfffb) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    (code >= 0xe0000 && code <= 0xe0fff) ||
    code >= 0xf0000
  );
}

/**
 * Replaces each invisible or misleading character (control, zero-width, bidirectional, private-use, tag) with its
 * escape, such as `\u{202e}`. Keeps line ends and tabs.
 */
export function makeVisible(text: string): string {
  let out = "";
  for (const char of text) {
    const code = char.codePointAt(0)!;
    out += isHidden(code) ? `\\u{${code.toString(16)}}` : char;
  }
  return out;
}

export interface Deception {
  readonly kind: "control" | "escape" | "zero-width" | "bidi" | "tag" | "private";
  readonly index: number;
  /** A sentence for the user. */
  readonly reason: string;
}

/**
 * The first character of a command that makes it read differently than it runs.
 * Joiners inside emoji and between letters of scripts that need them are ordinary.
 */
export function findDeception(text: string): Deception | undefined {
  let index = 0;
  for (const char of text) {
    const code = char.codePointAt(0)!;
    if (isHidden(code) && !joins(text, index, code))
      return {
        kind: kindOf(code),
        index,
        reason: `contains the hidden character U+${code.toString(16).toUpperCase().padStart(4, "0")} (${kindOf(code)})`,
      };
    index += char.length;
  }
  return undefined;
}

function kindOf(code: number): Deception["kind"] {
  if (code === 0x1b || code === 0x9b || code === 0x9d) return "escape";
  if (code < 0xa0) return "control";
  if (
    code === 0x200e ||
    code === 0x200f ||
    code === 0x061c ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  )
    return "bidi";
  if (code >= 0xe0000 && code <= 0xe0fff) return "tag";
  if ((code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000) return "private";
  return "zero-width";
}

function joins(text: string, index: number, code: number): boolean {
  if (code !== 0x200d && code !== 0x200c) return false;
  const before = text.slice(Math.max(0, index - 3), index);
  const after = text.slice(index + 1, index + 4);
  if (
    code === 0x200d &&
    /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f})$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(after)
  )
    return true;
  return (
    /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Khmer}]$/u.test(
      before,
    ) && /^[\p{L}\s]/u.test(after)
  );
}

/**
 * Removes terminal escape sequences (CSI, OSC, DCS and the like, 7 and 8 bit) and control characters other than line
 * ends and tabs. Linear.
 */
export function stripTerminal(text: string): string {
  if (!needsStrip(text)) return text;
  let out = "";
  let start = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 0x1b || (code >= 0x80 && code < 0xa0)) {
      out += text.slice(start, i);
      i = start = skipEscape(text, i, code);
    } else if (code < 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) {
      out += text.slice(start, i);
      start = ++i;
    } else if (code === 0x7f) {
      out += text.slice(start, i);
      start = ++i;
    } else i++;
  }
  return out + text.slice(start);
}

function needsStrip(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code < 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0d) || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

function skipEscape(text: string, start: number, code: number): number {
  let kind = code === 0x1b ? text.charCodeAt(start + 1) : code - 0x40;
  let i = code === 0x1b ? start + 2 : start + 1;
  if (Number.isNaN(kind)) kind = 0;
  if (kind === 0x5b) {
    // CSI: parameters, then one final byte.
    while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) < 0x40) i++;
    return text.charCodeAt(i) >= 0x40 && text.charCodeAt(i) < 0x7f ? i + 1 : i;
  }
  if (kind === 0x5d || kind === 0x50 || kind === 0x58 || kind === 0x5e || kind === 0x5f) {
    // OSC, DCS, SOS, PM, APC: to BEL or ST; an unfinished one ends with its line.
    for (; i < text.length; i++) {
      const at = text.charCodeAt(i);
      if (at === 0x07 || at === 0x9c) return i + 1;
      if (at === 0x1b) return text[i + 1] === "\\" ? i + 2 : i;
      if (at === 0x0a) return i;
    }
    return i;
  }
  // ESC with intermediates, as `ESC ( B`.
  if (code === 0x1b && kind >= 0x20 && kind < 0x30) {
    while (i < text.length && text.charCodeAt(i) >= 0x20 && text.charCodeAt(i) < 0x30) i++;
    return i + 1;
  }
  return Math.min(code === 0x1b && kind < 0x20 ? start + 1 : i, text.length);
}

/**
 * The text with no name and no password in the addresses it holds; that of `ssh` keeps its name, which is no secret and
 * belongs to the address.
 */
export function withoutLogin(text: string): string {
  return text.replaceAll(/\b([a-z][a-z0-9+.-]*:\/\/)([^\s/?#]*)@/gi, (_, scheme: string, login: string) =>
    scheme.toLowerCase() === "ssh://" ? `${scheme}${login.split(":", 1)[0]!}@` : scheme,
  );
}

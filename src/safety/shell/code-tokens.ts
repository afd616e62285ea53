import { UNKNOWN } from "./marks.ts";

export interface Token {
  readonly kind: "name" | "string" | "punctuation" | "number" | "command";
  readonly text: string;
}

export type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "lua" | "other";

/** One more is returned where there are more. */
export const MAX_TOKENS = 20_000;

/** The words of a program text in any of the languages, without comments; what a string puts in while it runs is a mark. */
export function tokenize(source: string, language: string): readonly Token[] {
  const tokens: Token[] = [];
  const hash = language !== "javascript";
  let i = 0;
  while (i < source.length) {
    const char = source[i]!;
    if (char === "\n") {
      tokens.push({ kind: "punctuation", text: "\n" });
      i++;
    } else if (/\s/.test(char)) i++;
    else if ((char === "#" && hash) || (source.startsWith("//", i) && (language === "javascript" || language === "php"))) {
      const end = source.indexOf("\n", i);
      i = end === -1 ? source.length : end;
    } else if (char === '"' || char === "'" || (char === "`" && language === "javascript")) {
      const string = readString(source, i, char);
      // A part in `${…}` or `#{…}` is only known when the program runs.
      if (char === "`") tokens.push(...templateParts(string.text));
      else if (char === '"' && language === "ruby") tokens.push(...templateParts(string.text.replaceAll("#{", "${")));
      else tokens.push({ kind: "string", text: char === "'" ? string.text : string.text.replace(/[$#]\{[^}]*\}/g, UNKNOWN) });
      i = string.end;
    } else if (char === "`") {
      const string = readString(source, i, char);
      tokens.push({ kind: "command", text: string.text.replace(/#\{[^}]*\}/g, UNKNOWN) });
      i = string.end;
    } else if (
      (language === "perl" || language === "ruby") &&
      /^(qx|%x|q|qq|%q|%Q)[^\w\s,;=)]/.test(source.slice(i, i + 4)) &&
      !/\w/.test(source[i - 1] ?? "")
    ) {
      const open = /^(qx|%x|qq|q|%q|%Q)/.exec(source.slice(i))![0];
      const quote = source[i + open.length]!;
      const close = { "(": ")", "{": "}", "[": "]", "<": ">" }[quote] ?? quote;
      const end = source.indexOf(close, i + open.length + 1);
      const stop = end === -1 ? source.length : end;
      tokens.push({ kind: open === "qx" || open === "%x" ? "command" : "string", text: source.slice(i + open.length + 1, stop) });
      i = stop + 1;
    } else if (/[\p{L}_$@\uE000-\uE01F]/u.test(char)) {
      let end = i + 1;
      while (end < source.length && /[\p{L}\p{N}_\uE000-\uE01F]/u.test(source[end]!)) end++;
      const name = source.slice(i, end);
      tokens.push({ kind: "name", text: language === "perl" || language === "php" ? name.replace(/^[$@]/, "") : name });
      i = end;
    } else if (
      /\d/.test(char) ||
      (char === "-" &&
        /\d/.test(source[i + 1] ?? "") &&
        tokens.at(-1)?.kind !== "name" &&
        tokens.at(-1)?.kind !== "number" &&
        tokens.at(-1)?.text !== ")")
    ) {
      let end = i + 1;
      while (end < source.length && /[\w.]/.test(source[end]!)) end++;
      tokens.push({ kind: "number", text: source.slice(i, end) });
      i = end;
    } else if (char === "!" && source[i + 1] === "(" && tokens.at(-1)?.kind === "name" && (language === "other" || language === "ruby")) {
      // Part of the name: `rm_rf!(…)`.
      i++;
    } else {
      const two = source.slice(i, i + 2);
      const punctuation = two === "::" || two === "->" ? two : char;
      tokens.push({ kind: "punctuation", text: punctuation });
      i += punctuation.length;
    }
    if (tokens.length > MAX_TOKENS) break;
  }
  return tokens;
}

/** `a ${name} b` as the sum that it is, where the part is a name or a text; any other part is a mark. */
function templateParts(text: string): readonly Token[] {
  const parts = text.split(/\$\{\s*([A-Za-z_$][\w$]*|'[^'\\]*'|"[^"\\]*")\s*\}/);
  const plus: Token = { kind: "punctuation", text: "+" };
  const tokens = parts.map((part, at): Token => {
    if (at % 2 === 0) return { kind: "string", text: part.replace(/[$#]\{[^}]*\}/g, UNKNOWN) };
    return /^['"]/.test(part) ? { kind: "string", text: part.slice(1, -1) } : { kind: "name", text: part };
  });
  return tokens.filter((token, at) => at === 0 || token.kind === "name" || token.text !== "").flatMap((token, at) => (at === 0 ? [token] : [plus, token]));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function readString(source: string, start: number, quote: string): { text: string; end: number } {
  if (source.startsWith(quote.repeat(3), start) && quote !== "`") {
    const end = source.indexOf(quote.repeat(3), start + 3);
    return { text: source.slice(start + 3, end === -1 ? undefined : end), end: end === -1 ? source.length : end + 3 };
  }
  let text = "";
  let i = start + 1;
  while (i < source.length && source[i] !== quote) {
    if (source[i] !== "\\") {
      text += source[i++];
      continue;
    }
    const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|([0-7]{2,3}))/.exec(source.slice(i, i + 12));
    if (hex) {
      const code = hex[4] !== undefined ? Number.parseInt(hex[4], 8) : Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
      text += code <= 0x10ffff ? String.fromCodePoint(code) : "";
      i += hex[0].length;
    } else {
      text += ESCAPES[source[i + 1] ?? ""] ?? source[i + 1] ?? "";
      i += 2;
    }
  }
  return { text, end: i + 1 };
}

import { UNKNOWN } from "../parse/marks.ts";

export interface Token {
  readonly kind: "name" | "string" | "punctuation" | "number" | "command";
  readonly text: string;
}

export type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "lua" | "other";

/** One more is returned where there are more. */
export const MAX_TOKENS = 20_000;

/**
 * The words of a program text in any of the languages, without comments; what a string puts in while it runs is a mark.
 */
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
    else if (
      (char === "#" && hash) ||
      (source.startsWith("//", i) && (language === "javascript" || language === "php"))
    ) {
      const end = source.indexOf("\n", i);
      i = end === -1 ? source.length : end;
    } else if (char === '"' || char === "'" || (char === "`" && language === "javascript")) {
      const string = readString(source, i, char);
      // A part in `${…}` or `#{…}` is only known when the program runs.
      if (char === "`") tokens.push(...templateParts(string.text));
      else if (char === '"' && language === "ruby") tokens.push(...templateParts(string.text.replaceAll("#{", "${")));
      else
        tokens.push({
          kind: "string",
          text: char === "'" ? string.text : string.text.replace(/[$#]\{[^}]*\}/g, UNKNOWN),
        });
      i = string.end;
    } else if (char === "`") {
      const string = readString(source, i, char);
      tokens.push({
        kind: "command",
        text: string.text.replace(HOME_IN_COMMAND, "$HOME").replace(/#\{[^}]*\}/g, UNKNOWN),
      });
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
      tokens.push({
        kind: open === "qx" || open === "%x" ? "command" : "string",
        text: source.slice(i + open.length + 1, stop),
      });
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
    } else if (
      char === "!" &&
      source[i + 1] === "(" &&
      tokens.at(-1)?.kind === "name" &&
      (language === "other" || language === "ruby")
    ) {
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

/** The home directory, inside a text of JavaScript or ruby. */
const HOME_IN_TEXT = `(?:require\\(["'](?:node:)?os["']\\)\\.|os\\.)?homedir\\(\\)|process\\.env\\.HOME|process\\.env\\[["']HOME["']\\]|Dir\\.home|ENV\\[["']HOME["']\\]|ENV\\.fetch\\(["']HOME["']\\)|File\\.expand_path\\(["']~["']\\)`;
const PART = new RegExp(`\\$\\{\\s*([A-Za-z_$][\\w$]*|'[^'\\\\]*'|"[^"\\\\]*"|${HOME_IN_TEXT})\\s*\\}`);
const HOME_PART = new RegExp(`^(?:${HOME_IN_TEXT})$`);
const HOME_IN_COMMAND = new RegExp(
  `#\\{\\s*(?:${HOME_IN_TEXT})\\s*\\}|\\$ENV\\{HOME\\}|\\$\\{process\\.env\\.HOME\\}`,
  "g",
);
const HOME_TOKENS = ["process", ".", "env", ".", "HOME"].map((text): Token => ({
  kind: text === "." ? "punctuation" : "name",
  text,
}));

/**
 * `a ${name} b` as the sum that it is, where the part is a name, a text or the home directory; any other part is a
 * mark.
 */
function templateParts(text: string): readonly Token[] {
  const plus: Token = { kind: "punctuation", text: "+" };
  const pieces = text.split(PART).flatMap((part, at): readonly (readonly Token[])[] => {
    if (at % 2 === 0)
      return at > 0 && part === "" ? [] : [[{ kind: "string", text: part.replace(/[$#]\{[^}]*\}/g, UNKNOWN) }]];
    if (HOME_PART.test(part)) return [HOME_TOKENS];
    return [[/^['"]/.test(part) ? { kind: "string", text: part.slice(1, -1) } : { kind: "name", text: part }]];
  });
  return pieces.flatMap((piece, at) => (at === 0 ? piece : [plus, ...piece]));
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
    const hex = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\}|([0-7]{2,3}))/.exec(
      source.slice(i, i + 12),
    );
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

/** A command that begins with a backslash, between statements or inside one. */
export interface ClientCommand {
  /** Behind it and its words. */
  readonly end: number;
  /** Sends the text typed so far. */
  readonly sends: boolean;
  /** `\copy`: its words are read as those of a statement, up to the end of the line. */
  readonly copies: boolean;
}

/** Commands with which psql sends the statement; `\;` only ends it. */
const SENDS = /\\(?:g(?:x|set|exec|desc)?|watch|crosstabview|bind|;)(?![a-zA-Z])/y;
/** psql commands whose argument is the whole rest of the line. */
const WHOLE_LINES = /\\(?:!|\?|h\b|help\b|[es][fv]\+?(?![a-z]))/y;
/** Commands of mysql that take words; all others end with their letter. */
const TAKES_WORDS = /[!.CdhPRrTue?]/;

export function afterCommand(text: string, at: number, client: "psql" | "mysql", delimiter: string): ClientCommand {
  const newline = text.indexOf("\n", at);
  const line = newline === -1 ? text.length : newline;
  if (client === "mysql") {
    const letter = text[at + 1] ?? "";
    const words = TAKES_WORDS.test(letter) ? text.indexOf(delimiter, at + 2) : at + 2;
    return {
      end: words >= 0 && words < line ? words : Math.min(line, TAKES_WORDS.test(letter) ? line : at + 2),
      sends: /[gG]/.test(letter),
      copies: false,
    };
  }
  if (/[;:]/.test(text[at + 1] ?? "")) return { end: at + 2, sends: text[at + 1] === ";", copies: false };
  if (text.startsWith("\\copy", at)) return { end: at + 5, sends: true, copies: true };
  SENDS.lastIndex = at;
  WHOLE_LINES.lastIndex = at;
  return { end: WHOLE_LINES.test(text) ? line : wordsEnd(text, at + 1, line), sends: SENDS.test(text), copies: false };
}

/** The words of a psql command end at the end of the line, or at two backslashes outside quotes. */
function wordsEnd(text: string, from: number, line: number): number {
  for (let i = from; i < line; i++) {
    const char = text[i]!;
    if (char === "\\" && text[i + 1] === "\\") return i + 2;
    if (char !== "'" && char !== '"' && char !== "`") continue;
    for (i++; i < line && text[i] !== char; i++) if (text[i] === "\\" && char === "'") i++;
  }
  return line;
}

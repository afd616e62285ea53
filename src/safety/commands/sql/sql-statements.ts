import { hasMark } from "../parse/marks.ts";
import { afterCommand } from "./sql-client-commands.ts";
import { SETTLED, type SqlDialect } from "./sql-dialects.ts";
import { quotedAt } from "./sql-quotes.ts";

/** Commands of clients, or statements of T-SQL, that end with their line. */
const LINE_LONG =
  /^(?:use|source|tee|notee|pager|nopager|warnings|nowarning|status|connect|conn|disconnect|rehash|set|spool|whenever|define|undefine|column|col|break|compute|show|host|exit|quit|consistency|paging|tracing|expand|capture|login|describe|desc|clear|start|@@?\S+|declare|print)\b[^;]*$/i;
/** A batch ends: `GO`, and the slash of Oracle. */
const BATCH = /^(?:go(?:\s+\d+)?\s*;?|\/)\s*$/i;
const DASHES = /--/y;
const WORD = /(?!\s)[\w\x80-\uE01F]/;
const INSIDE = /(?!\s)[\w$.\x80-\uE01F]/;

export interface SqlReading {
  /**
   * Each statement as its words in small letters; strings stay in their quotes, comments and what is for the client
   * alone are left out.
   */
  readonly statements: readonly (readonly string[])[];
  /** The text ends inside a string or a quoted name: the last statement is none that this dialect would run. */
  readonly open: boolean;
}

/** The statements of SQL text, as one dialect reads it. */
export function readSql(text: string, dialect: SqlDialect): SqlReading {
  const out: string[][] = [];
  let current: string[] = [];
  let delimiter = ";";
  /** Where a statement ends that ends with its line. */
  let until = -1;
  /** Where the data of a COPY begins, and where it ends. */
  let data: readonly [number, number] | undefined;
  let open = false;
  let i = 0;
  const end = (): void => {
    if (current.length > 0) out.push(current);
    current = [];
    until = -1;
  };
  while (i < text.length) {
    const char = text[i]!;
    if (data !== undefined && i >= data[0]) {
      i = Math.max(i, data[1]);
      data = undefined;
      continue;
    }
    if (char === "\n" && until >= 0 && i >= until) end();
    if (startsLine(text, i) && !/\s/.test(char)) {
      const line = text.slice(i, lineEnd(text, i));
      const chosen =
        current.length === 0 && dialect.client === "mysql" ? /^delimiter\s+(\S{1,16})/i.exec(line)?.[1] : undefined;
      if (BATCH.test(line)) end();
      delimiter = chosen ?? delimiter;
      if (chosen !== undefined || BATCH.test(line) || (current.length === 0 && dialect.says?.test(line) === true)) {
        i += line.length;
        continue;
      }
      if (current.length === 0 && LINE_LONG.test(line)) until = i + line.length;
    }
    const quoted = quotedAt(text, i, dialect);
    const comment = quoted === undefined ? commentEnd(text, i, dialect) : -1;
    if (quoted !== undefined) {
      current.push(quoted.kind === "string" ? `'${quoted.text}'` : `"${quoted.text}"`);
      open = !quoted.closed;
      i = quoted.end;
    } else if (delimiter !== ";" && text.startsWith(delimiter, i)) {
      end();
      i += delimiter.length;
    } else if (char === ";") {
      if (dialect.client === "psql" && current[0] === "copy" && current[current.indexOf("stdin") - 1] === "from")
        data = copied(text, i);
      end();
      i++;
    } else if (comment >= 0) i = comment;
    else if (char === "\\" && dialect.client !== undefined) {
      const command = afterCommand(text, i, dialect.client, delimiter);
      if (command.sends) end();
      if (command.copies) until = lineEnd(text, i);
      i = command.end;
    } else if (WORD.test(char)) {
      const close = wordEnd(text, i, delimiter);
      current.push(text.slice(i, close).toLowerCase());
      i = close;
    } else {
      if (!/\s/.test(char) && !hasMark(char) && char !== "*" && char !== "/" && char !== "!" && char !== "\\")
        current.push(char);
      i++;
    }
  }
  end();
  return { statements: out, open };
}

/** The end of the comment that begins here, or of the words that make a comment no comment; -1 where none begins. */
function commentEnd(text: string, at: number, dialect: SqlDialect): number {
  if (!/[-#/]/.test(text[at]!)) return -1;
  for (const opens of [dialect.dashes ?? DASHES, ...(dialect.lineComments ?? [])]) {
    opens.lastIndex = at;
    if (opens.test(text)) return lineEnd(text, at);
  }
  if (!text.startsWith("/*", at)) return -1;
  const [words, own, version = 0] = /^\/\*(M?)!(\d{5,6})?/.exec(text.slice(at, at + 12)) ?? [];
  if (words !== undefined && dialect.runs !== undefined && runsVersion(own === "M", Number(version), dialect.runs))
    return at + words.length;
  let depth = 1;
  let i = at + 2;
  while (i < text.length && depth > 0) {
    const step = text.startsWith("*/", i) ? -1 : dialect.nested && text.startsWith("/*", i) ? 1 : 0;
    depth += step;
    i += step === 0 ? 1 : 2;
  }
  return i;
}

function runsVersion(own: boolean, version: number, { upTo, mariaDb }: NonNullable<SqlDialect["runs"]>): boolean {
  return version <= upTo && (mariaDb ? own || version < SETTLED || version >= MARIADB : !own);
}

/** The first version that only MariaDB has. */
const MARIADB = 100_000;

function wordEnd(text: string, at: number, delimiter: string): number {
  const inside = /\d/.test(text[at]!) ? /[\w.]/ : INSIDE;
  let close = at + 1;
  while (close < text.length && inside.test(text[close]!) && !(text[close] === "$" && text[close - 1] === ".")) close++;
  // `t$$`: what ends the statement is not part of a name.
  const ends = delimiter === ";" ? -1 : text.slice(at + 1, close).indexOf(delimiter);
  return ends >= 0 ? at + 1 + ends : close;
}

/** The data of a COPY begins with the next line and goes up to `\.`. */
function copied(text: string, from: number): readonly [number, number] | undefined {
  const start = lineEnd(text, from);
  const close = /\n\\\.[ \t]*(?=\n|$)/.exec(text.slice(start));
  return close === null ? undefined : [start, start + close.index + close[0].length];
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === " " || text[before] === "\t")) before--;
  return before < 0 || text[before] === "\n";
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

import { hasMark } from "./marks.ts";

/** Lines that a client takes for itself where a statement would begin; what they say is only text, or does nothing to data. */
const SAYS = /^(?:\.[a-z]|:[a-z]|:?!!|(?:prompt|rem|remark|ttitle|btitle|accept|pause)\b)/i;
/** Commands of clients, or statements of T-SQL, that end with their line. */
const LINE_LONG =
  /^(?:use|source|tee|notee|pager|nopager|warnings|nowarning|status|connect|conn|disconnect|rehash|set|spool|whenever|define|undefine|column|col|break|compute|show|host|exit|quit|consistency|paging|tracing|expand|capture|login|describe|desc|clear|start|@@?\S+|declare|print)\b[^;]*$/i;
/** A batch ends: `GO`, and the slash of Oracle. */
const BATCH = /^(?:go(?:\s+\d+)?\s*;?|\/)\s*$/i;
/** What psql and mysql send the statement off with. */
const SENDS = /^\\(?:g(?:x|set|exec|desc)?|G|watch|crosstabview|;)(?![a-zA-Z])/;

/** The statements of SQL text, each as its words in small letters; strings stay in their quotes, comments and what is for the client alone are left out. */
export function statements(text: string): readonly (readonly string[])[] {
  const out: string[][] = [];
  let current: string[] = [];
  let delimiter = ";";
  /** Where a statement ends that ends with its line. */
  let until = -1;
  let i = 0;
  const end = (): void => {
    if (current.length > 0) out.push(current);
    current = [];
    until = -1;
  };
  while (i < text.length) {
    const char = text[i]!;
    if (char === "\n" && until >= 0 && i >= until) end();
    if (startsLine(text, i) && !/\s/.test(char)) {
      const line = text.slice(i, lineEnd(text, i));
      const chosen = current.length === 0 ? /^delimiter\s+(\S{1,16})/i.exec(line)?.[1] : undefined;
      if (BATCH.test(line)) end();
      delimiter = chosen ?? delimiter;
      if (chosen !== undefined || BATCH.test(line) || (current.length === 0 && SAYS.test(line))) {
        i += line.length;
        continue;
      }
      if (current.length === 0 && LINE_LONG.test(line)) until = i + line.length;
    }
    if (delimiter !== ";" && text.startsWith(delimiter, i)) {
      end();
      i += delimiter.length;
    } else if (char === ";") {
      const data = current[0] === "copy" && current.includes("stdin") ? /\n\\\.[ \t]*(?=\n|$)/.exec(text.slice(i)) : null;
      end();
      i += data === null ? 1 : data.index + data[0].length;
    } else if (text.startsWith("--", i)) i = lineEnd(text, i);
    else if (text.startsWith("/*", i)) {
      const close = text.indexOf("*/", i + 2);
      // MySQL runs what stands in /*! … */ and, from that version on, in /*!50000 … */; MariaDB in /*M!100100 … */ too.
      const runs = /^\/\*M?!\d*/.exec(text.slice(i, i + 12));
      if (runs !== null) i += runs[0].length;
      else i = close === -1 ? text.length : close + 2;
    } else if (char === "\\") {
      const sends = SENDS.exec(text.slice(i, i + 16));
      if (sends !== null || text.startsWith("\\copy", i)) end();
      if (text.startsWith("\\copy", i)) until = lineEnd(text, i);
      i = sends !== null ? i + sends[0].length : text.startsWith("\\copy", i) ? i + 5 : metaEnd(text, i);
    } else if (char === "'") {
      const close = closing(text, i, char);
      current.push(`'${text.slice(i + 1, close - 1)}'`);
      i = close;
    } else if (char === '"' || char === "`") {
      const close = closing(text, i, char);
      current.push(`"${text.slice(i + 1, close - 1)}"`);
      i = close;
    } else if (/[A-Za-z_\d\uE000-\uE01F]/.test(char)) {
      const inside = /\d/.test(char) ? /[\w.]/ : /[\w$.\uE000-\uE01F]/;
      let close = i + 1;
      while (close < text.length && inside.test(text[close]!)) close++;
      // `t$$`: what ends the statement is not part of a name.
      const ends = delimiter === ";" ? -1 : text.slice(i + 1, close).indexOf(delimiter);
      if (ends >= 0) close = i + 1 + ends;
      current.push(text.slice(i, close).toLowerCase());
      i = close;
    } else {
      if (!/\s/.test(char) && !hasMark(char) && char !== "*" && char !== "/" && char !== "!") current.push(char);
      i++;
    }
  }
  end();
  return out;
}

function startsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (text[before] === " " || text[before] === "\t")) before--;
  return before < 0 || text[before] === "\n";
}

/** A command of psql reaches to the end of its line, or to two backslashes. */
function metaEnd(text: string, from: number): number {
  const end = lineEnd(text, from);
  const parts = text.indexOf("\\\\", from + 1);
  return parts >= 0 && parts < end ? parts + 2 : end;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function closing(text: string, start: number, quote: string): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\" && quote === "'") i++;
    else if (text[i] === quote) {
      if (text[i + 1] === quote) i++;
      else return i + 1;
    }
  }
  return text.length;
}

export interface EnvFile {
  readonly values: ReadonlyMap<string, string>;
  /** First and last line (from 0) of each variable's assignments, in their order. The last one counts. */
  readonly linesOf: ReadonlyMap<string, readonly LineSpan[]>;
  /** Lines count from 1. The offending text is left out: it may be a secret. */
  readonly problems: readonly { readonly line: number; readonly text: string }[];
}

export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads `.env`: `NAME=value`, an optional `export`, comments, single quotes (literal), double quotes (`\n`, `\"`, `\\`,
 * `\$`). A quoted value may span lines. Nothing is expanded.
 */
export function parseEnvFile(text: string): EnvFile {
  const values = new Map<string, string>();
  const linesOf = new Map<string, LineSpan[]>();
  const problems: { line: number; text: string }[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (/^\s*(#|$)/.test(line)) continue;
    const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(\s*)(.*)$/.exec(line);
    if (assignment === null) {
      problems.push({ line: at + 1, text: "This line is not an assignment and is ignored." });
      continue;
    }
    const [, name, gap, rest] = assignment as unknown as [string, string, string, string];
    const blank = gap !== "";
    const first = at;
    const quote = rest[0];
    if (quote === '"' || quote === "'") {
      let raw = rest.slice(1);
      let end = closingQuote(raw, quote);
      while (end < 0 && at + 1 < lines.length) {
        raw += `\n${lines[++at]}`;
        end = closingQuote(raw, quote);
      }
      if (end < 0) {
        problems.push({
          line: first + 1,
          text: `The value of ${name} has an opening ${quote} without a closing one; it is ignored.`,
        });
        at = first;
        continue;
      }
      if (!/^\s*(#.*)?$/.test(raw.slice(end + 1)))
        problems.push({ line: at + 1, text: `The text after the quoted value of ${name} is ignored.` });
      values.set(name, quote === "'" ? raw.slice(0, end) : unescape(raw.slice(0, end)));
    } else {
      // A comment right behind the equals sign leaves nothing; `#x` without a blank is a value, as for shells.
      values.set(
        name,
        /^#(?:\s|$)/.test(rest) || (blank && rest.startsWith("#")) ? "" : rest.replace(/\s+#.*$/, "").trim(),
      );
    }
    linesOf.set(name, [...(linesOf.get(name) ?? []), { first, last: at }]);
  }
  return { values, linesOf, problems };
}

/** One assignment that `parseEnvFile` reads back as it was. */
export function formatLine(name: string, value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(value)) return `${name}=${value}`;
  const escaped = value
    .replace(/[\\"$]/g, (found) => `\\${found}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r");
  return `${name}="${escaped}"`;
}

function closingQuote(text: string, quote: string): number {
  for (let at = 0; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function unescape(text: string): string {
  return text.replace(/\\([nrt"\\$])/g, (_, letter: string) => ({ n: "\n", r: "\r", t: "\t" })[letter] ?? letter);
}

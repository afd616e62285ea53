import { foldHomes } from "./code-homes.ts";
import { pathNames, putIn } from "./code-own-paths.ts";
import type { Token } from "./code-tokens.ts";
import { UNKNOWN } from "../parse/marks.ts";

/** Calls inside calls, and names for what they give: so often the text is gone through. */
const MAX_ROUNDS = 4;

/**
 * Tokens with what is known of paths put in: home directories, `expanduser("~/x")`, `join("a", "b")`,
 * `Path.home() / "x"`, and names for them.
 */
export function foldPaths(tokens: readonly Token[], home: string): readonly Token[] {
  let folded = foldOnce(foldHomes(tokens, home), home);
  for (let round = 1; round < MAX_ROUNDS; round++) {
    const names = pathNames(folded);
    const next = foldOnce(names.size === 0 ? folded : putIn(folded, names), home, names);
    if (names.size === 0 && next.length === folded.length) break;
    folded = next;
  }
  return folded;
}

function foldOnce(
  tokens: readonly Token[],
  home: string,
  names: ReadonlyMap<string, string> = new Map(),
): readonly Token[] {
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const folded = foldCall(tokens, i, home);
    if (folded === undefined) out.push(filledIn(tokens, i, home, names));
    else {
      // `require("path").join(…)`
      if (out.at(-1)?.text === "." && out.at(-2)?.text === ")" && out.at(-5)?.text === "require") out.splice(-5);
      out.push({ kind: "string", text: folded.text });
      i = folded.end;
    }
    joinSlash(out);
  }
  return out;
}

/** `"$ENV{HOME}/x"`, `f"{home}/x"`: a directory in the text itself. */
function filledIn(tokens: readonly Token[], i: number, home: string, names: ReadonlyMap<string, string>): Token {
  const token = tokens[i]!;
  if (token.kind !== "string") return token;
  if (token.text.includes("$ENV{HOME}")) return { kind: "string", text: token.text.replaceAll("$ENV{HOME}", home) };
  if (tokens[i - 1]?.kind !== "name" || !/^[rb]?f[rb]?$/i.test(tokens[i - 1]!.text)) return token;
  const text = token.text.replace(/\{([^{}]{1,60})\}/g, (whole, inner: string) =>
    HOME_IN_TEXT.test(inner) ? home : whole,
  );
  const filled = /^\{([^{}]{1,60})\}(?=\/)/.exec(text);
  if (filled === null) return text === token.text ? token : { kind: "string", text };
  return { kind: "string", text: (names.get(filled[1]!.trim()) ?? UNKNOWN) + text.slice(filled[0].length) };
}

const HOME_IN_TEXT =
  /^\s*(os\.environ(\.get)?[[(]["']HOME["'][\])]|os\.getenv\(["']HOME["']\)|(pathlib\.)?Path\.home\(\)|os\.path\.expanduser\(["']~["']\))\s*$/;

/** `expanduser("…")` and `join("…", "…")` of constants, with the names in front of them. */
function foldCall(tokens: readonly Token[], start: number, home: string): { text: string; end: number } | undefined {
  let at = start;
  while (tokens[at]?.kind === "name" && tokens[at + 1]?.text === ".") at += 2;
  const name = tokens[at]?.text;
  if (tokens[at + 1]?.text !== "(" || !/^(?:expanduser|expand_path|join|resolve|Path)$/.test(name ?? ""))
    return undefined;
  const texts: string[] = [];
  let i = at + 2;
  for (; tokens[i] !== undefined && tokens[i]!.text !== ")"; i++) {
    const token = tokens[i]!;
    if (token.kind === "string") texts.push(token.text);
    else if (token.text !== ",") return undefined;
  }
  // `parts.join("")` makes a text of a list.
  if (
    texts.length === 0 ||
    tokens[i] === undefined ||
    (name === "join" && texts.length === 1 && !/[~/]/.test(texts[0]!))
  )
    return undefined;
  // `Path("a", "b")`
  if (name === "Path" && texts.length < 2) return undefined;
  // `join(" ", "a", "b")` makes a line of words.
  if (name === "join" && at === start && /^\s*$/.test(texts[0]!)) return undefined;
  const text = name === "join" || name === "resolve" || name === "Path" ? texts.join("/") : texts[0]!;
  return { text: text.replace(/^~(?=\/|$)/, home), end: i };
}

/** `home / "x"`, `home.joinpath("x")`: together they are a path. */
function joinSlash(out: Token[]): void {
  const [first, dot, join, open, part] = out.slice(-5);
  if (
    first?.kind === "string" &&
    dot?.text === "." &&
    join?.text === "joinpath" &&
    open?.text === "(" &&
    part?.kind === "string"
  )
    out.splice(-5, 5, { kind: "string", text: `${first.text}/${part.text}` });
  const [left, slash, right] = out.slice(-3);
  if (left?.kind === "string" && slash?.text === "/" && slash.kind === "punctuation" && right?.kind === "string")
    out.splice(-3, 3, { kind: "string", text: `${left.text}/${right.text}` });
}

/**
 * Names under which a program knows something else: `import subprocess as s`, `const {execSync: x} = …`,
 * `s = os.system`.
 */
export function aliasesOf(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (let i = 0; i < tokens.length; i++) {
    const [name, link, other, after] = tokens.slice(i, i + 4);
    if (name?.kind !== "name") continue;
    if (link?.text === "as" && other?.kind === "name") aliases.set(other.text, name.text);
    // In a pattern of names: `{ execSync: x }`.
    else if (link?.text === ":" && other?.kind === "name" && (after?.text === "}" || after?.text === ","))
      aliases.set(other.text, name.text);
    else if (link?.text === "=" && other?.text === "require" && after?.text === "(")
      aliases.set(
        name.text,
        tokens[i + 6]?.text === "." && tokens[i + 7]?.kind === "name" && tokens[i + 8]?.text !== "("
          ? tokens[i + 7]!.text
          : (tokens[i + 4]?.text ?? "").replace(/^node:/, ""),
      );
    else if (
      link?.text === "=" &&
      other?.kind === "name" &&
      after?.text === "." &&
      tokens[i + 4]?.kind === "name" &&
      tokens[i + 5]?.text !== "("
    )
      aliases.set(name.text, tokens[i + 4]!.text);
  }
  return aliases;
}

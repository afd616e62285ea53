import type { Call } from "../evaluate/call.ts";
import type { Token } from "./code-tokens.ts";
import { STAR } from "../parse/marks.ts";

/** Give the names in a directory. */
const NAMES = /^(?:listdir|scandir|readdirSync|readdir|children|each_child|entries|foreach|list_dir|ls!?)$/;
/** Functions that return the full paths of files that match a pattern or are in a directory. */
const PATHS = /^(?:glob|iglob|globSync|iterdir|Glob)$/;
/** Go down into every directory below. */
const WALKS = /^(?:walk|rglob|walkSync|find|finddepth|Find|list_files)$/;
const TAKES_AWAY = /^(?:unlink|unlinkSync|remove|rmtree|rmSync|rmdir|rm|rm_rf|rm_r|delete|deleteFile)$/;
/** Conditions that leave hardly anything out. */
const WIDE = /^(?:is_?dir|is_?file|is_?link|is_?symlink|isDirectory|isFile|exists|existsSync|__name__|lstat)$/i;
const CONDITION = /^(?:if|unless|filter|select|grep|next|continue|reject|when|case|switch)$/;

const sign = (text: string): Token => ({ kind: "punctuation", text });

/** Something is done to some of what is listed only. */
const narrowed = (tokens: readonly Token[]): boolean =>
  tokens.filter(({ text }) => CONDITION.test(text)).length > tokens.filter(({ text }) => WIDE.test(text)).length;

/** Directories where all names together mean the whole directory: the root, a home and the root's children. */
const isWhole = (path: string, home: string): boolean =>
  path === home || /^\/\w*\/?$/.test(path) || /^\/(?:home|Users)\/[\w.-]+\/?$/.test(path);

/**
 * `os.listdir("/")` and `glob("/*")` as the list that they give: one name that stands for all of them. The same tokens
 * where there is none.
 */
export function foldListings(tokens: readonly Token[], home: string): readonly Token[] {
  if (!tokens.some(({ text }) => NAMES.test(text) || PATHS.test(text) || text === "Dir") || narrowed(tokens))
    return tokens;
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const listed = listAt(tokens, i, home);
    if (listed === undefined) {
      out.push(tokens[i]!);
      continue;
    }
    while (out.at(-1)?.text === "." && out.at(-2) !== undefined) out.splice(-2);
    out.push(
      ...(listed.bare === true
        ? [{ kind: "string" as const, text: listed.text }]
        : [sign("["), { kind: "string" as const, text: listed.text }, sign("]")]),
    );
    i = listed.end;
  }
  return out;
}

interface Listed {
  readonly text: string;
  readonly end: number;
  /** The text is inside brackets already. */
  readonly bare?: boolean;
}

function listAt(tokens: readonly Token[], i: number, home: string): Listed | undefined {
  const name = tokens[i]!;
  const [open, place, close] = tokens.slice(i + 1, i + 4);
  // `"/".iterdir()`
  if (
    name.kind === "string" &&
    open?.text === "." &&
    place?.text === "iterdir" &&
    close?.text === "(" &&
    tokens[i + 4]?.text === ")"
  )
    return isWhole(name.text, home) ? { text: below(name.text), end: i + 4 } : undefined;
  if (name.kind !== "name") return undefined;
  if (name.text === "Dir" && open?.text === "[" && place?.kind === "string" && close?.text === "]")
    return patterned(place.text, home, i + 3);
  if (open?.text === "(" && place?.kind === "string" && (close?.text === ")" || close?.text === ",")) {
    let end = i + 3;
    while (tokens[end] !== undefined && tokens[end]!.text !== ")") end++;
    if (NAMES.test(name.text)) return isWhole(place.text, home) ? { text: STAR, end } : undefined;
    return PATHS.test(name.text) ? patterned(place.text, home, end) : undefined;
  }
  // perl: `glob "/*"`.
  if (name.text === "glob" && open?.kind === "string") {
    const listed = patterned(open.text, home, i + 1);
    return listed && { ...listed, bare: tokens[i - 1]?.text === "[" };
  }
  return undefined;
}

const below = (place: string): string => `${place.replace(/\/$/, "")}/${STAR}`;

function patterned(pattern: string, home: string, end: number): Listed | undefined {
  const [, place] = /^(.*\/)(?:\*|\{\*,\.\*\}|\*\*)$/.exec(pattern.replace(/^~(?=\/)/, home)) ?? [];
  return place !== undefined && isWhole(place === "/" ? "/" : place.slice(0, -1), home)
    ? { text: below(place), end }
    : undefined;
}

/** `for r, d, f in os.walk("/"): os.remove(…)`: everything below a place is taken away, file by file. */
export function judgeWalks(tokens: readonly Token[], call: Call): void {
  if (
    !tokens.some(({ text }, i) => TAKES_AWAY.test(text) && /^[(]?$/.test(tokens[i + 1]?.text ?? "")) ||
    narrowed(tokens)
  )
    return;
  for (let i = 0; i + 2 < tokens.length; i++) {
    if (!WALKS.test(tokens[i]!.text) || tokens[i]!.kind !== "name") continue;
    const inside = tokens
      .slice(i + 1, i + 12)
      .find(({ kind, text }) => kind === "string" && isWhole(text, call.by.home) && text !== "");
    const owner = tokens[i - 1]?.text === "." && tokens[i - 2]?.kind === "string" ? tokens[i - 2] : inside;
    if (owner !== undefined && isWhole(owner.text, call.by.home))
      call.by.remove(owner.text, call, { recursive: true, by: `${call.program} ${tokens[i]!.text}` });
  }
}

import type { Budget } from "../parse/budget.ts";
import { actOf } from "./code-calls.ts";
import { putIn } from "./code-own-paths.ts";
import { pureCall, pureMethod } from "./code-pure.ts";
import { directCall } from "./code-dispatch.ts";
import type { Language, Token } from "./code-tokens.ts";
import { isKnown } from "../parse/marks.ts";

const MAX_ROUNDS = 4;
/** Tokens of one call's arguments. */
const MAX_INSIDE = 80;
const MAX_TEXT = 10_000;

/**
 * The program with what its text determines worked out: texts put together, turned round and decoded, names for them
 * put in, and functions that are called by a name in a text called by their name. The same tokens where there is
 * nothing of the kind.
 */
export function foldLiterals(tokens: readonly Token[], language: Language, budget: Budget): readonly Token[] {
  let folded = tokens;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    budget.spend(folded.length / 10);
    const names = constantsOf(folded);
    const next = new Folding(language, budget).fold(
      names.size === 0 ? folded : filledIn(putIn(folded, names), names, language),
    );
    if (next.length === folded.length && next.every((token, i) => token.text === folded[i]!.text)) break;
    folded = next;
  }
  return folded;
}

/** Names that are given one text, once. */
function constantsOf(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const torn = new Set<string>();
  for (let i = 0; i + 1 < tokens.length; i++) {
    const [name, sign, value, end] = tokens.slice(i, i + 4);
    if (name!.kind !== "name") continue;
    const grows = /^[-+.*/|&%^<]$/.test(sign!.text) && value?.text === "=";
    if (grows || sign!.text === "<") torn.add(name!.text);
    if (sign!.text !== "=" || value?.text === "=" || tokens[i - 1]?.text === ".") continue;
    if (found.has(name!.text)) torn.add(name!.text);
    found.set(
      name!.text,
      value?.kind === "string" && isKnown(value.text) && (end === undefined || /^[;\n,)}]$/.test(end.text))
        ? value.text
        : "",
    );
  }
  for (const [name, text] of found) if (text === "" || torn.has(name)) found.delete(name);
  return found;
}

/** `"$a $b"`, with the names that are known. */
function filledIn(tokens: readonly Token[], names: ReadonlyMap<string, string>, language: Language): readonly Token[] {
  if (language === "python")
    return tokens.map((token, at) =>
      token.kind === "string" && /^r?f$/i.test(tokens[at - 1]?.text ?? "")
        ? { kind: "string", text: withNames(token.text, names) }
        : token,
    );
  if (language !== "php" && language !== "perl") return tokens;
  return tokens.map((token) => {
    if (token.kind !== "string" || !token.text.includes("$")) return token;
    const text = token.text.replace(
      /\$(\w+)|\$\{(\w+)\}/g,
      (whole, plain?: string, braced?: string) => names.get(plain ?? braced ?? "") ?? whole,
    );
    return text.length > MAX_TEXT ? token : { kind: "string", text };
  });
}

/** `f"{a} {b}"`, with the names that are known. */
function withNames(text: string, names: ReadonlyMap<string, string>): string {
  const filled = text.replace(/\{\s*([A-Za-z_]\w*)\s*\}/g, (whole, name: string) => names.get(name) ?? whole);
  return filled.length > MAX_TEXT ? text : filled;
}

/** One pass from left to right; evaluates each complete value at the end of the list at once. */
class Folding {
  private readonly out: Token[] = [];
  private readonly language: Language;
  private readonly budget: Budget;
  private readonly plus: string;

  constructor(language: Language, budget: Budget) {
    this.language = language;
    this.budget = budget;
    this.plus = language === "perl" || language === "php" || language === "lua" ? "." : "+";
  }

  fold(tokens: readonly Token[]): readonly Token[] {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (token.kind === "punctuation") this.concatenate(token.text);
      this.out.push(token);
      if (token.text === ")" && token.kind === "punctuation") this.closeCall();
      else if (token.text === "]" && token.kind === "punctuation") this.closeIndex(tokens[i + 1]);
      else if (token.kind === "name") this.bareMethod(tokens[i + 1]);
      else if (token.kind === "string") this.beside();
      directCall(this.out, this.language, tokens[i + 1]);
    }
    this.concatenate(";");
    return this.out;
  }

  /** Joins the last values before the next operator, unless that operator binds more tightly. */
  private concatenate(next: string): void {
    if (
      next === "[" ||
      next === "(" ||
      next === "*" ||
      next === "%" ||
      next === "->" ||
      (next === "." && this.plus !== ".") ||
      (next === ":" && this.language === "lua")
    )
      return;
    for (;;) {
      const right = this.out.at(-1);
      const wide = this.language === "lua" ? 2 : 1;
      const left = this.out.at(-2 - wide);
      const signs = this.out.slice(-1 - wide, -1);
      if (right?.kind !== "string" || left?.kind !== "string") return;
      if (signs.every(({ kind, text }) => kind === "punctuation" && text === this.plus))
        this.replace(2 + wide, left.text + right.text);
      else if (signs.length === 1 && signs[0]!.text === "%" && /%[sd]/.test(left.text))
        this.replace(3, pureCall("format", [left.text, right.text]));
      else return;
      if (this.out.at(-1) === right) return;
    }
  }

  /** `'a' 'b'`, `b'…'`, `reverse "…"`. */
  private beside(): void {
    const [before, last] = this.out.slice(-2) as [Token, Token];
    if (this.out.length < 2) return;
    if (this.language === "python" && before.kind === "string") this.replace(2, before.text + last.text);
    else if (this.language === "python" && before.kind === "name" && /^(b|r|u|rb|br)$/i.test(before.text))
      this.replace(2, last.text);
    else if (
      this.language === "perl" &&
      before.kind === "name" &&
      /^(reverse|lc|uc|lcfirst|ucfirst)$/.test(before.text)
    )
      this.replace(this.out.at(-3)?.text === "scalar" ? 3 : 2, pureCall(before.text, [last.text]));
  }

  /** `"…".reverse` without parentheses. */
  private bareMethod(next: Token | undefined): void {
    const [text, dot, name] = this.out.slice(-3);
    if (this.language === "ruby" && text?.kind === "string" && dot?.text === "." && next?.text !== "(")
      this.replace(3, pureMethod(name!.text, text.text, []));
  }

  private closeCall(): void {
    const open = this.opening("(", ")");
    if (open === undefined) return;
    const args = this.texts(open + 1, this.out.length - 1);
    const name = this.out[open - 1];
    if (args === undefined) return;
    const size = this.out.length - open;
    if (name?.text === "%" && this.out[open - 2]?.kind === "string")
      return this.replace(size + 2, pureCall("format", [this.out[open - 2]!.text, ...args]));
    if (name?.kind !== "name" || WORDS.has(name.text)) {
      // A text in parentheses.
      if (
        args.length === 1 &&
        size === 3 &&
        !/^[)\]]$/.test(name?.text ?? "") &&
        name?.kind !== "string" &&
        this.out[open + 1]!.kind === "string"
      )
        this.replace(size, args[0]);
      return;
    }
    const [owner, dot] = [this.out[open - 3], this.out[open - 2]];
    const member =
      dot?.text === "." || dot?.text === "::" || dot?.text === "->" || (dot?.text === ":" && this.language === "lua");
    if (member && owner?.kind === "string")
      return name.text === "split"
        ? this.split(owner.text, args, size + 3)
        : this.replace(size + 3, pureMethod(name.text, owner.text, args));
    if (member && owner?.text === "]") return this.joinList(name.text, args, open - 3, size);
    if (name.text === "map")
      return this.replace(size + 1, this.out[open + 1]?.text === "chr" ? pureCall("chr", args) : undefined);
    const listed =
      name.text === "join" && args.length > 1 && !member && (this.language === "perl" || this.language === "php")
        ? args.slice(1).join(args[0])
        : pureCall(name.text, args);
    let start = open - 1;
    if (listed !== undefined)
      while (
        this.out[start - 1]?.text === "." &&
        this.out[start - 2]?.kind === "name" &&
        (this.plus !== "." || this.out[start - 2]!.text === "string")
      )
        start -= 2;
    this.replace(this.out.length - start, args.length === 0 ? undefined : listed);
  }

  /** `["r", "m"].join("")`, `[114, 109].pack("c*")`. */
  private joinList(name: string, args: readonly string[], close: number, size: number): void {
    const open = this.opening("[", "]", close);
    const items = open === undefined ? undefined : this.texts(open + 1, close);
    if (items === undefined || open === undefined || this.out[open - 1]?.kind === "name") return;
    const count = close - open + 1 + 2 + size;
    if (name === "join") this.replace(count, items.join(args[0] ?? ""));
    else if (name === "pack") this.replace(count, pureCall("pack", [args[0] ?? "", ...items]));
    else if (name === "reverse" || name === "toReversed") this.list(count, items.toReversed());
  }

  private split(text: string, args: readonly string[], size: number): void {
    // `split("")` gives the letters: the text itself serves as well.
    if (args[0] === "") this.replace(size, text);
    else if (text.length < 500) this.list(size, args[0] === undefined ? text.trim().split(/\s+/) : text.split(args[0]));
  }

  private list(count: number, items: readonly string[]): void {
    const tokens = items
      .flatMap((text): Token[] => [
        { kind: "punctuation", text: "," },
        { kind: "string", text },
      ])
      .slice(1);
    this.out.splice(-count, count, { kind: "punctuation", text: "[" }, ...tokens, { kind: "punctuation", text: "]" });
  }

  /** `"…"[::-1]`, `"…"[1:3]`, `x["name"](…)`. */
  private closeIndex(next: Token | undefined): void {
    const open = this.opening("[", "]");
    if (open === undefined) return;
    const owner = this.out[open - 1];
    const inside = this.out.slice(open + 1, -1);
    const size = this.out.length - open;
    const slice = inside.map(({ text }) => text).join("");
    if (owner?.kind === "string" && /^-?\d*(:-?\d*){0,2}$|^-?\d*::-?\d*$/.test(slice))
      return this.replace(size + 1, sliced(owner.text, slice));
    const called = next !== undefined && /^[([.]$/.test(next.text);
    if (inside.length !== 1 || inside[0]!.kind !== "string" || !/^[A-Za-z_$][\w$]*[?!]?$/.test(inside[0]!.text)) return;
    if ((owner?.kind !== "name" && owner?.text !== ")" && owner?.text !== "]") || WORDS.has(owner.text)) return;
    if (
      this.language === "php" ||
      this.language === "perl" ||
      this.language === "ruby" ||
      (!called && actOf(inside[0]!.text, "") === undefined)
    )
      return;
    this.out.splice(open, size, { kind: "punctuation", text: "." }, { kind: "name", text: inside[0]!.text });
  }

  /** Where the parenthesis that closes at `at` opens. */
  private opening(open: string, close: string, at = this.out.length - 1): number | undefined {
    let depth = 0;
    for (let i = at; i >= 0 && i > at - MAX_INSIDE; i--) {
      this.budget.spend(0.02);
      const { kind, text } = this.out[i]!;
      if (kind !== "punctuation") continue;
      if (text === close) depth++;
      else if (text === open && --depth === 0) return i;
    }
    return undefined;
  }

  /** Texts and numbers between commas, lists of them laid flat; undefined where there is anything else. */
  private texts(start: number, end: number): readonly string[] | undefined {
    const out: string[] = [];
    for (const { kind, text } of this.out.slice(start, end)) {
      if (kind === "string" || kind === "number") out.push(text);
      else if (kind === "name" && /^(chr|str|map)$/.test(text) && this.language === "python") continue;
      else if (kind !== "punctuation" || !/^[,[\]\n]$/.test(text)) return undefined;
    }
    return out.every(isKnown) ? out : undefined;
  }

  private replace(count: number, text: string | undefined): void {
    if (text === undefined || text.length > MAX_TEXT) return;
    this.budget.spend(0.2 + text.length / 200);
    this.out.splice(-count, count, { kind: "string", text });
  }
}

/** Words before a parenthesis that are no function's name. */
const WORDS: ReadonlySet<string> = new Set(
  "return print echo if while and or not in else elif unless puts p yield await typeof case when do end".split(" "),
);

function sliced(text: string, slice: string): string | undefined {
  const letters = [...text];
  if (/^-?\d+$/.test(slice)) return letters.at(Number(slice)) ?? "";
  const [from = "", to = "", step = ""] = slice.split(":");
  if (step === "-1") return from === "" && to === "" ? letters.toReversed().join("") : undefined;
  if (step !== "" && !/^[1-9]$/.test(step)) return undefined;
  const part = letters.slice(from === "" ? 0 : Number(from), to === "" ? undefined : Number(to));
  return step === "" ? part.join("") : part.filter((_, at) => at % Number(step) === 0).join("");
}

import type { Budget } from "../parse/budget.ts";
import type { Token } from "./code-tokens.ts";
import { MANY, UNKNOWN } from "../parse/marks.ts";

export interface Argument {
  readonly text?: string;
  readonly items?: readonly string[];
  readonly raw?: string;
  readonly object?: boolean;
}

const MAX_ARGUMENTS = 300;

/** The arguments from `start` to the closing parenthesis: texts, lists of texts, or neither. */
export function readArguments(
  tokens: readonly Token[],
  start: number,
  variables: ReadonlyMap<string, string>,
  budget: Budget,
): readonly Argument[] {
  const out: Argument[] = [];
  let current: Token[] = [];
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    budget.spend(0.2);
    // An argument that is too long to read, and those after it, stay unknown.
    if (i >= start + MAX_ARGUMENTS) return [...out, { raw: "…" }];
    const token = tokens[i]!;
    const open = token.kind === "punctuation" && "([{".includes(token.text);
    const close = token.kind === "punctuation" && ")]}".includes(token.text);
    if (close && depth === 0) break;
    if (token.kind === "punctuation" && (token.text === ";" || token.text === "\n") && depth === 0) break;
    if (open) depth++;
    if (close) depth--;
    if (token.kind === "punctuation" && token.text === "," && depth === 0) {
      out.push(argument(current, variables));
      current = [];
    } else current.push(token);
  }
  if (current.length > 0) out.push(argument(current, variables));
  return out;
}

function argument(tokens: readonly Token[], variables: ReadonlyMap<string, string>): Argument {
  if (tokens[0]?.text === "{") return { object: true, ...listAfter("args", tokens, variables) };
  if (/^[[(]$/.test(tokens[0]?.text ?? "") && tokens[0]!.kind === "punctuation") {
    const items = lists(tokens, variables);
    if (items !== undefined) return { items };
  }
  // `'rm -rf x'.split()`
  if (tokens.length >= 4 && tokens[1]?.text === "." && tokens[2]?.text === "split" && tokens[0]?.kind === "string")
    return { items: tokens[0].text.trim().split(/\s+/) };
  const named =
    tokens[1]?.text === "=" || (tokens[1]?.text === ":" && tokens[0]?.kind === "name") ? tokens.slice(2) : tokens;
  const text = constant(named, variables);
  if (text !== undefined) return { text, raw: tokens.length === 1 ? tokens[0]!.text : undefined };
  return { raw: tokens.map((token) => token.text).join("") };
}

/** `["a", "b"]`, also several put together: `["a"] + ["b"]`. */
function lists(tokens: readonly Token[], variables: ReadonlyMap<string, string>): readonly string[] | undefined {
  const items: string[] = [];
  for (let start = 0; start < tokens.length;) {
    const end = closing(tokens, start);
    const inside = tokens.slice(start + 1, end);
    const tuple = tokens[start]!.text === "(";
    if (end === -1 || (tuple && !inside.some(({ text }) => text === ",")) || (tokens[start]!.text !== "[" && !tuple))
      return undefined;
    items.push(
      ...split(inside).map(
        (item) => constant(item, variables) ?? (/^(\*|\.)$/.test(item[0]!.text) ? UNKNOWN + MANY : UNKNOWN),
      ),
    );
    if (end === tokens.length - 1) return items;
    if (tokens[end + 1]!.text !== "+") return undefined;
    start = end + 2;
  }
  return undefined;
}

function closing(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    if (tokens[at]!.kind !== "punctuation") continue;
    if (/^[([{]$/.test(tokens[at]!.text)) depth++;
    else if (/^[)\]}]$/.test(tokens[at]!.text) && --depth === 0) return at;
  }
  return -1;
}

/** The list of a field: `{ args: ["a", "b"] }`. */
function listAfter(
  field: string,
  tokens: readonly Token[],
  variables: ReadonlyMap<string, string>,
): { readonly items?: readonly string[] } {
  const at = tokens.findIndex(
    (token, i) => token.text === field && tokens[i + 1]?.text === ":" && tokens[i + 2]?.text === "[",
  );
  if (at === -1) return {};
  const end = tokens.findIndex((token, i) => i > at && token.text === "]");
  return {
    items: split(tokens.slice(at + 3, end === -1 ? undefined : end)).map(
      (item) => constant(item, variables) ?? UNKNOWN,
    ),
  };
}

function split(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const out: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === "punctuation" && token.text === ",") out.push([]);
    else out.at(-1)!.push(token);
  }
  return out.filter((item) => item.length > 0);
}

/**
 * Strings, put together by `+`, `.` or by standing beside each other; names only where a constant was assigned to them.
 */
function constant(tokens: readonly Token[], variables: ReadonlyMap<string, string>): string | undefined {
  if (tokens.length === 0) return undefined;
  let out = "";
  let strings = 0;
  for (const token of tokens) {
    if (token.kind === "string") {
      out += token.text;
      strings++;
    } else if (token.kind === "name" && variables.has(token.text)) {
      out += variables.get(token.text)!;
      strings++;
    } else if (token.kind === "name" && /^[frbuFRBU]{1,2}$/.test(token.text)) continue;
    else if (token.kind === "name" && strings > 0) out += UNKNOWN;
    else if (token.kind === "punctuation" && ["+", ".", "..", "(", ")"].includes(token.text)) continue;
    else return undefined;
  }
  return strings > 0 ? out : undefined;
}

/** Constants that are assigned to names are known afterwards. */
export function remember(name: string, tokens: readonly Token[], start: number, variables: Map<string, string>): void {
  const end = tokens.findIndex(
    (token, i) => i >= start && token.kind === "punctuation" && (token.text === ";" || token.text === "\n"),
  );
  const value = constant(tokens.slice(start, end === -1 ? tokens.length : end), variables);
  if (value === undefined) variables.delete(name);
  else variables.set(name, value);
}

import type { Budget } from "./budget.ts";

/** One element of a shell pattern: any text, any character, one of a set, or itself. */
type Piece =
  | { readonly kind: "many" }
  | { readonly kind: "one" }
  | { readonly kind: "set"; readonly set: RegExp }
  | { readonly kind: "character"; readonly text: string };

/** A pattern as `${x#…}` and `${x/…}` read it; undefined when a bracket expression cannot be read. */
export function parsePattern(pattern: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const text = pattern[i]!;
    const close = text === "[" ? pattern.indexOf("]", i + 2) : -1;
    if (text === "*") {
      if (pieces.at(-1)?.kind !== "many") pieces.push({ kind: "many" });
    } else if (text === "?") pieces.push({ kind: "one" });
    else if (close > 0) {
      const set = readSet(pattern.slice(i + 1, close));
      if (!set) return undefined;
      pieces.push({ kind: "set", set });
      i = close;
    } else if (text === "\\" && i + 1 < pattern.length) pieces.push({ kind: "character", text: pattern[++i]! });
    else pieces.push({ kind: "character", text });
  }
  return pieces;
}

function readSet(body: string): RegExp | undefined {
  const source = body.replace(/\\/g, "\\\\").replace(/^!/, "^").replaceAll("[", "\\[");
  try {
    return new RegExp(`^[${source}]$`);
  } catch {
    return undefined; // `[z-a]` and the like
  }
}

/** Where a match that begins at `from` ends, without ever going back over the text; undefined when there is none. */
export function matchEnd(
  pieces: readonly Piece[],
  text: string,
  from: number,
  longest: boolean,
  budget: Budget,
): number | undefined {
  let states = close(pieces, new Set([0]));
  let found: number | undefined;
  for (let at = from; ; at++) {
    if (states.has(pieces.length)) {
      found = at;
      if (!longest) return found;
    }
    if (at >= text.length || states.size === 0) return found;
    budget.spend(0.2 + states.size / 10);
    const next = new Set<number>();
    for (const state of states) {
      const piece = pieces[state];
      if (piece === undefined) continue;
      if (piece.kind === "many") next.add(state);
      else if (accepts(piece, text[at]!)) next.add(state + 1);
    }
    states = close(pieces, next);
  }
}

/** `many` may also be nothing. */
function close(pieces: readonly Piece[], states: Set<number>): Set<number> {
  for (const state of states) if (pieces[state]?.kind === "many") states.add(state + 1);
  return states;
}

function accepts(piece: Piece, char: string): boolean {
  if (piece.kind === "one") return true;
  return piece.kind === "set" ? piece.set.test(char) : piece.kind === "character" && piece.text === char;
}

/** `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`. */
export function removePattern(text: string, pattern: string, operator: string, budget: Budget): string | undefined {
  const pieces = parsePattern(pattern);
  if (!pieces) return undefined;
  const longest = operator.length === 2;
  if (operator.startsWith("#")) {
    const end = matchEnd(pieces, text, 0, longest, budget);
    return end === undefined ? text : text.slice(end);
  }
  const end = matchEnd(pieces.toReversed(), reverse(text), 0, longest, budget);
  return end === undefined ? text : text.slice(0, text.length - end);
}

const reverse = (text: string): string => text.split("").toReversed().join("");

/** `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`. */
export function replacePattern(
  text: string,
  pattern: string,
  replacement: string,
  operator: string,
  budget: Budget,
): string | undefined {
  const pieces = parsePattern(pattern);
  if (!pieces || pattern === "") return pattern === "" ? text : undefined;
  if (operator === "/%") {
    const end = matchEnd(pieces.toReversed(), reverse(text), 0, true, budget);
    return end === undefined ? text : text.slice(0, text.length - end) + replacement;
  }
  let out = "";
  let at = 0;
  while (at < text.length) {
    const end = matchEnd(pieces, text, at, true, budget);
    if (end !== undefined && end > at) {
      out += replacement;
      at = end;
      if (operator !== "//") break;
    } else {
      if (operator === "/#") break;
      out += text[at++]!;
    }
  }
  budget.spend(out.length / 100);
  return out + text.slice(at);
}

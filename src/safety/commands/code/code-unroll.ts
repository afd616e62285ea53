import type { Budget } from "../parse/budget.ts";
import type { Language, Token } from "./code-tokens.ts";

const MAX_ITEMS = 64;
const MAX_ELEMENT = 24;
/** Of a loop so many rounds are followed; a longer one is judged with its name unknown. */
const MAX_ROUNDS = 6;
const MAX_BACK = 200;

const sign = (text: string): Token => ({ kind: "punctuation", text });

/**
 * Lists that are made item by item from a list that is written out: `[f(c) for c in [1, 2]]`, `[1, 2].map(c => f(c))`.
 * The same tokens where there is none.
 */
export function unrollLists(tokens: readonly Token[], language: Language, budget: Budget): readonly Token[] {
  if (!tokens.some(({ text }) => text === "for" || text === "map")) return tokens;
  let out = tokens;
  for (let round = 0; round < 3; round++) {
    budget.spend(out.length / 20);
    const next = language === "python" ? comprehension(out) : language === "javascript" ? arrowMap(out) : undefined;
    if (next === undefined) return out;
    out = next;
  }
  return out;
}

/** `[ELEMENT for NAME in LIST]`, also in parentheses. */
function comprehension(tokens: readonly Token[]): readonly Token[] | undefined {
  for (let i = 1; i + 3 < tokens.length; i++) {
    if (tokens[i]!.text !== "for" || tokens[i + 1]!.kind !== "name" || tokens[i + 2]!.text !== "in") continue;
    const items = itemsAt(tokens, i + 3, true);
    const open = items === undefined ? undefined : openingOf(tokens, i);
    if (
      items === undefined ||
      open === undefined ||
      i - open - 1 > MAX_ELEMENT ||
      i === open + 1 ||
      !/^[\])]$/.test(tokens[items.end + 1]?.text ?? "")
    )
      continue;
    const list = spreadOut(tokens.slice(open + 1, i), tokens[i + 1]!.text, items.items);
    const wrapped = tokens[open]!.text === "(" ? [sign("("), ...list, sign(")")] : list;
    return [...tokens.slice(0, open), ...wrapped, ...tokens.slice(items.end + 2)];
  }
  return undefined;
}

/** `[…].map(NAME => ELEMENT)`. */
function arrowMap(tokens: readonly Token[]): readonly Token[] | undefined {
  for (let i = 0; i + 6 < tokens.length; i++) {
    const items = tokens[i]!.text === "[" ? itemsAt(tokens, i, false) : undefined;
    if (
      items === undefined ||
      tokens[items.end + 1]?.text !== "." ||
      tokens[items.end + 2]?.text !== "map" ||
      tokens[items.end + 3]?.text !== "("
    )
      continue;
    const arrow = arrowAt(tokens, items.end + 4);
    if (arrow === undefined || tokens[arrow.body]?.text === "{") continue;
    const close = closingOf(tokens, items.end + 3);
    if (close === -1 || close - arrow.body > MAX_ELEMENT) continue;
    return [
      ...tokens.slice(0, i),
      ...spreadOut(tokens.slice(arrow.body, close), arrow.name, items.items),
      ...tokens.slice(close + 1),
    ];
  }
  return undefined;
}

/** `c => …`, `(c) => …`. */
function arrowAt(tokens: readonly Token[], at: number): { readonly name: string; readonly body: number } | undefined {
  const shape = tokens
    .slice(at, at + 5)
    .map(({ kind, text }) => (kind === "name" ? "n" : text))
    .join("");
  if (shape.startsWith("n=>")) return { name: tokens[at]!.text, body: at + 3 };
  return shape === "(n)=>" ? { name: tokens[at + 1]!.text, body: at + 5 } : undefined;
}

function spreadOut(element: readonly Token[], name: string, items: readonly Token[]): readonly Token[] {
  const list = items
    .flatMap((item) => [
      sign(","),
      ...calculated(element.map((token, at) => putIn(token, element[at - 1], name, item))),
    ])
    .slice(1);
  return [sign("["), ...list, sign("]")];
}

/** `ord("s") - 1` as the number that it is. */
function calculated(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = [];
  for (const token of tokens) {
    out.push(token);
    const [name, open, text, close] = out.slice(-4);
    if (
      name?.text === "ord" &&
      open?.text === "(" &&
      text?.kind === "string" &&
      [...text.text].length === 1 &&
      close?.text === ")"
    )
      out.splice(-4, 4, { kind: "number", text: String(text.text.codePointAt(0)) });
    const [left, by, right] = out.slice(-3);
    if (left?.kind === "number" && right?.kind === "number" && by?.kind === "punctuation" && /^[-+^*]$/.test(by.text)) {
      const [a, b] = [Number(left.text), Number(right.text)];
      const value = by.text === "+" ? a + b : by.text === "-" ? a - b : by.text === "*" ? a * b : a ^ b;
      if (Number.isSafeInteger(value)) out.splice(-3, 3, { kind: "number", text: String(value) });
    } else if (left?.kind === "number" && by?.kind === "number" && by.text.startsWith("-"))
      out.splice(-2, 2, { kind: "number", text: String(Number(left.text) + Number(by.text)) });
  }
  return out;
}

/**
 * The program once for every round of its loops over lists that are written out, with the item in the place of its
 * name.
 */
export function loopRounds(tokens: readonly Token[], language: Language): readonly (readonly Token[])[] {
  for (let i = 0; i + 3 < tokens.length; i++) {
    const loop = loopAt(tokens, i, language);
    if (loop === undefined || loop.items.length > MAX_ROUNDS) continue;
    return loop.items.map((item) => tokens.map((token, at) => putIn(token, tokens[at - 1], loop.name, item)));
  }
  return [];
}

function loopAt(
  tokens: readonly Token[],
  i: number,
  language: Language,
): { readonly name: string; readonly items: readonly Token[] } | undefined {
  const texts = tokens.slice(i, i + 5).map(({ text }) => text);
  const named = (
    name: number,
    list: number,
  ): { readonly name: string; readonly items: readonly Token[] } | undefined => {
    const items = tokens[i + name]?.kind === "name" ? itemsAt(tokens, i + list, true) : undefined;
    return items && { name: tokens[i + name]!.text, items: items.items };
  };
  if (texts[0] === "for" || texts[0] === "foreach") {
    if (texts[2] === "in") return named(1, 3);
    if (texts[1] === "(" && /^(const|let|var)$/.test(texts[2]!) && texts[4] === "of") return named(3, 5);
    if (language === "perl") {
      const my = texts[1] === "my" ? 1 : 0;
      if (tokens[i + 1 + my]?.kind === "name") return named(1 + my, 2 + my);
      const items = itemsAt(tokens, i + 1, true);
      return items && { name: "_", items: items.items };
    }
    if (language === "php" && texts[1] === "(") {
      const items = itemsAt(tokens, i + 2, true);
      return items && tokens[items.end + 1]?.text === "as" && tokens[items.end + 2] !== undefined
        ? { name: tokens[items.end + 2]!.text, items: items.items }
        : undefined;
    }
  }
  if (texts[0] !== "[") return undefined;
  const items = itemsAt(tokens, i, false);
  if (
    items === undefined ||
    tokens[items.end + 1]?.text !== "." ||
    !/^(forEach|each|map|flatMap|filter|some|every|each_with_index)$/.test(tokens[items.end + 2]?.text ?? "")
  )
    return undefined;
  const arrow = arrowAt(tokens, items.end + 4);
  if (arrow !== undefined) return { name: arrow.name, items: items.items };
  const block = tokens.slice(items.end + 3, items.end + 7);
  if (/^(\{|do)$/.test(block[0]?.text ?? "") && block[1]?.text === "|" && block[2]?.kind === "name")
    return { name: block[2].text, items: items.items };
  return block[1]?.text === "function" && block[2]?.text === "(" && block[3]?.kind === "name"
    ? { name: block[3].text, items: items.items }
    : undefined;
}

/** The texts and numbers of the list that opens at `at`, or the letters of a text. */
function itemsAt(
  tokens: readonly Token[],
  at: number,
  tuples: boolean,
): { readonly items: readonly Token[]; readonly end: number } | undefined {
  const first = tokens[at];
  if (first?.kind === "string" && tuples) {
    const letters = [...first.text];
    return letters.length === 0 || letters.length > MAX_ITEMS
      ? undefined
      : { items: letters.map((text) => ({ kind: "string", text })), end: at };
  }
  if (first?.kind !== "punctuation" || (first.text !== "[" && !(tuples && /^[({]$/.test(first.text)))) return undefined;
  const items: Token[] = [];
  for (let i = at + 1; i < tokens.length && items.length <= MAX_ITEMS; i++) {
    const token = tokens[i]!;
    if (token.kind === "string" || token.kind === "number") items.push(token);
    else if (token.kind === "punctuation" && /^[\])}]$/.test(token.text))
      return items.length === 0 ? undefined : { items, end: i };
    else if (token.text !== "," && token.text !== "\n") return undefined;
  }
  return undefined;
}

/** The item in the place of its name, in texts that hold it too. */
function putIn(token: Token, before: Token | undefined, name: string, item: Token): Token {
  if (token.kind === "name") return token.text === name && before?.text !== "." ? item : token;
  if (token.kind !== "string" || !token.text.includes(name)) return token;
  if (/^r?f$/i.test(before?.text ?? ""))
    return { kind: "string", text: token.text.replaceAll(`{${name}}`, () => item.text) };
  return {
    kind: "string",
    text: token.text
      .replaceAll(`\${${name}}`, () => item.text)
      .replaceAll(new RegExp(`\\$${name}(?!\\w)`, "g"), () => item.text),
  };
}

function openingOf(tokens: readonly Token[], from: number): number | undefined {
  let depth = 0;
  for (let at = from - 1; at >= 0 && at > from - MAX_BACK; at--) {
    if (tokens[at]!.kind !== "punctuation") continue;
    if (/^[\])}]$/.test(tokens[at]!.text)) depth++;
    else if (/^[[({]$/.test(tokens[at]!.text) && --depth < 0) return tokens[at]!.text === "{" ? undefined : at;
  }
  return undefined;
}

function closingOf(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length && at < from + MAX_BACK; at++) {
    if (tokens[at]!.kind !== "punctuation") continue;
    if (/^[[({]$/.test(tokens[at]!.text)) depth++;
    else if (/^[\])}]$/.test(tokens[at]!.text) && --depth === 0) return at;
  }
  return -1;
}

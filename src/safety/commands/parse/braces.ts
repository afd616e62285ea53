import type { Budget } from "./budget.ts";

/**
 * Expands `{a,b}` and `{1..3}` in the source text of one word, as bash does before anything else; undefined when there
 * are too many.
 */
export function expandBraces(text: string, budget: Budget, limit = 128): readonly string[] | undefined {
  if (text.length > 4000) return undefined;
  budget.spend(1 + text.length / 20);
  const group = findGroup(text);
  if (group === undefined) return [text];
  const out: string[] = [];
  for (const item of group.items) {
    const rest = expandBraces(text.slice(0, group.start) + item + text.slice(group.end), budget, limit);
    if (rest === undefined || out.length + rest.length > limit) return undefined;
    out.push(...rest);
  }
  return out;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly items: readonly string[];
}

function findGroup(text: string): Group | undefined {
  for (let i = 0; i < text.length; i = skipQuoted(text, i)) {
    if (text[i] !== "{") continue;
    const group = readGroup(text, i);
    if (group) return group;
  }
  return undefined;
}

function readGroup(text: string, start: number): Group | undefined {
  const commas: number[] = [];
  let depth = 1;
  let i = start + 1;
  while (i < text.length) {
    const char = text[i]!;
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) break;
    else if (char === "," && depth === 1) commas.push(i);
    i = skipQuoted(text, i);
  }
  if (depth !== 0) return undefined;
  const inner = text.slice(start + 1, i);
  if (commas.length === 0) {
    const items = sequence(inner);
    return items && { start, end: i + 1, items };
  }
  const items: string[] = [];
  let from = start + 1;
  for (const comma of [...commas, i]) {
    items.push(text.slice(from, comma));
    from = comma + 1;
  }
  return { start, end: i + 1, items };
}

function sequence(inner: string): readonly string[] | undefined {
  const parts = inner.split("..");
  if (parts.length < 2 || parts.length > 3) return undefined;
  const [first, last] = parts as [string, string];
  const letters = first.length === 1 && last.length === 1 && Number.isNaN(Number(first)) && Number.isNaN(Number(last));
  const from = letters ? first.charCodeAt(0) : Number.parseInt(first, 10);
  const to = letters ? last.charCodeAt(0) : Number.parseInt(last, 10);
  const step = Math.max(1, Math.abs(Number.parseInt(parts[2] ?? "1", 10) || 1));
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  const items: string[] = [];
  for (let n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step) {
    items.push(letters ? String.fromCharCode(n) : String(n));
    // A long count tells nothing more than its beginning and its end.
    if (items.length >= 16) {
      items.push(letters ? last : String(to));
      break;
    }
  }
  return items;
}

/** The index after the character, quoted run or `${…}`/`$(…)` that starts at `i`. */
function skipQuoted(text: string, i: number): number {
  const char = text[i];
  if (char === "\\") return i + 2;
  if (char === "'" || char === "`") return after(text.indexOf(char, i + 1), text);
  if (char === '"') {
    let at = i + 1;
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    return at + 1;
  }
  if (char === "$" && text[i + 1] === "'") {
    let at = i + 2;
    while (at < text.length && text[at] !== "'") at += text[at] === "\\" ? 2 : 1;
    return at + 1;
  }
  if (char === "$" && (text[i + 1] === "{" || text[i + 1] === "(")) {
    const open = text[i + 1]!;
    const close = open === "{" ? "}" : ")";
    let depth = 1;
    let at = i + 2;
    while (at < text.length && depth > 0) {
      if (text[at] === open) depth++;
      else if (text[at] === close) depth--;
      at = text[at] === "'" || text[at] === '"' || text[at] === "\\" ? skipQuoted(text, at) : at + 1;
    }
    return at;
  }
  return i + 1;
}

function after(index: number, text: string): number {
  return index === -1 ? text.length : index + 1;
}

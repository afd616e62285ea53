import type { Json, JsonObject } from "../../contract/common/json.ts";

/**
 * The tables of a TOML file below one name: strings, numbers, booleans, and arrays and inline tables of them. Keys with
 * other values, such as multi-line strings and dates, are left out.
 */
export function tomlTables(text: string, root: string): { readonly [name: string]: JsonObject } {
  const found: { [name: string]: { [key: string]: Json } } = {};
  let at: { [key: string]: Json } | undefined;
  for (const line of joined(text)) {
    const header = /^\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.trim());
    if (header !== null) {
      const [first, name, ...inner] = keysOf(header[1]!);
      at = undefined;
      if (first !== root || name === undefined) continue;
      at = found[name] ??= {};
      for (const key of inner) at = (at[key] ??= {}) as { [key: string]: Json };
      continue;
    }
    if (/^\s*\[\[/.test(line)) at = undefined;
    const [, key, value] = /^\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (at === undefined || key === undefined || value === undefined) continue;
    const read = readValue(value);
    if (read !== undefined) at[bare(key)] = read.value;
  }
  return found;
}

/** Lines without comments, with arrays that span several joined to one. */
function joined(text: string): readonly string[] {
  const lines: string[] = [];
  let open = "";
  for (const line of text.split(/\r?\n/)) {
    const bareLine = line.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*$/g, (part) => (part.startsWith("#") ? "" : part));
    const whole = open === "" ? bareLine : `${open} ${bareLine}`;
    const outside = whole.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "");
    open = /=\s*\[/.test(outside) && count(outside, "[") > count(outside, "]") ? whole : "";
    if (open === "") lines.push(whole);
  }
  return lines;
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

function keysOf(path: string): readonly string[] {
  return [...path.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
}

function bare(key: string): string {
  return key.replace(/^(["'])(.*)\1$/, "$2");
}

/** A value at the beginning of a text, and what follows it. */
function readValue(text: string): { readonly value: Json; readonly rest: string } | undefined {
  const from = text.trimStart();
  const string = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(from);
  if (string !== null && !/^("""|''')/.test(from)) {
    const rest = from.slice(string[0].length);
    if (string[2] !== undefined) return { value: string[2], rest };
    try {
      return { value: JSON.parse(`"${string[1]}"`) as string, rest };
    } catch {
      return undefined; // An escape that JSON does not have.
    }
  }
  const word = /^(true|false|[+-]?\d+(?:\.\d+)?)(?=\s*(?:[,\]}#]|$))/.exec(from);
  if (word !== null)
    return { value: JSON.parse(word[1]!.replace(/^\+/, "")) as Json, rest: from.slice(word[0].length) };
  if (from.startsWith("[")) return readList(from.slice(1));
  return from.startsWith("{") ? readInline(from.slice(1)) : undefined;
}

function readList(text: string): { readonly value: Json; readonly rest: string } | undefined {
  const items: Json[] = [];
  for (let rest = text.trimStart(); ;) {
    if (rest.startsWith("]")) return { value: items, rest: rest.slice(1) };
    const item = readValue(rest);
    if (item === undefined) return undefined;
    items.push(item.value);
    rest = item.rest.trimStart().replace(/^,\s*/, "");
  }
}

function readInline(text: string): { readonly value: Json; readonly rest: string } | undefined {
  const table: { [key: string]: Json } = {};
  for (let rest = text.trimStart(); ;) {
    if (rest.startsWith("}")) return { value: table, rest: rest.slice(1) };
    const [head, key] = /^("[^"]*"|'[^']*'|[\w.-]+)\s*=/.exec(rest) ?? [];
    const item = head === undefined ? undefined : readValue(rest.slice(head.length));
    if (key === undefined || item === undefined) return undefined;
    table[bare(key)] = item.value;
    rest = item.rest.trimStart().replace(/^,\s*/, "");
  }
}

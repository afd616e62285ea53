import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./read-snapshot.ts";

/**
 * Reads the payload keys of each hook and middleware from the source of the types, since types do not exist at run
 * time.
 */
export function readPayloads(): ReadonlyMap<string, readonly string[]> {
  const source = onOneLine(
    readFileSync(join(ROOT, "src/contract/plugins/hook.ts"), "utf8").replaceAll(/\/\*\*[^]*?\*\//g, ""),
  );
  const hooks = [...source.matchAll(/^ {2}(\w+): (?:First|Observe|Collect|Chain)<(.*)>;$/gm)].map(
    ([, name = "", types = ""]): [string, readonly string[]] => [name, keysOf(firstOf(types), source)],
  );
  const middleware = [...source.matchAll(/^ {2}(\w+): \{ readonly input: (.*); readonly output: \w+ \};$/gm)].map(
    ([, name = "", type = ""]): [string, readonly string[]] => [name, keysOf(type, source)],
  );
  return new Map([...hooks, ...middleware]);
}

/** Puts each member on one line, however the formatter wrapped its type. */
function onOneLine(source: string): string {
  return source
    .replaceAll(/\n {4,}/g, " ")
    .replaceAll(/[,;]?\n {2}(?=[>})])/g, " ")
    .replaceAll("< ", "<")
    .replaceAll(" >;", ">;");
}

/** `A & { readonly b: C }` → keys of A, then b. */
function keysOf(type: string, source: string): readonly string[] {
  return [
    ...new Set(
      split(type, "&").flatMap((part) =>
        part.startsWith("{") ? keysOfBody(part.slice(1, -1)) : keysOfInterface(part, source),
      ),
    ),
  ];
}

function keysOfInterface(name: string, source: string): readonly string[] {
  const found = new RegExp(`export interface ${name}(?: extends (\\w+))? \\{\\n([^]*?)\\n\\}`).exec(source);
  if (found === null) return [];
  const [, above, body = ""] = found;
  return [...(above === undefined ? [] : keysOfInterface(above, source)), ...keysOfBody(body)];
}

function keysOfBody(body: string): readonly string[] {
  return split(body, ";").flatMap((member) => {
    const key = /^readonly (\w+)\??:/.exec(member)?.[1];
    return key === undefined ? [] : [key];
  });
}

function firstOf(types: string): string {
  return split(types, ",")[0] ?? "";
}

/** Splits at separators outside brackets. */
function split(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    const sign = text[at];
    if (sign !== undefined && "{<([".includes(sign)) depth++;
    else if (sign !== undefined && "}>)]".includes(sign)) depth--;
    if (at !== text.length && (depth !== 0 || sign !== separator)) continue;
    const part = text.slice(start, at).trim();
    if (part !== "") parts.push(part);
    start = at + 1;
  }
  return parts;
}

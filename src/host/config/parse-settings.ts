import type { Json, JsonObject } from "../../contract/common/json.ts";
import { exactIntegers } from "../../contract/common/parse-exact.ts";

/** A settings file as data, with the position of each path (line and column from 1). */
export interface ParsedSettings {
  readonly data: JsonObject;
  readonly places: { readonly [path: string]: readonly [line: number, column: number] };
  /** Why it is not YAML. */
  readonly problems: readonly { readonly line: number; readonly column: number; readonly text: string }[];
}

/** Parses YAML. Loads the parser, which costs more than everything else a start reads: ask the cache first. */
export async function parseSettings(text: string): Promise<ParsedSettings> {
  const [{ LineCounter, isMap, isPair, isScalar, isSeq, parseDocument }, { aliasMistake, yamlMistakes }] =
    await Promise.all([import("yaml"), import("./yaml-mistakes.ts")]);
  const counter = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: counter,
    merge: true,
    prettyErrors: false,
    intAsBigInt: true,
  });
  const problems = yamlMistakes(document, (offset) => placeOf(offset).line).map(({ offset, text }) => ({
    ...placeOf(offset),
    text,
  }));
  if (problems.length > 0) return { data: {}, places: {}, problems };
  const places: { [path: string]: readonly [number, number] } = {};
  note(document.contents, "");
  let data: unknown;
  try {
    // What JSON cannot say (dates, infinities, whole numbers beyond 2^53) becomes text, since settings are JSON.
    data = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }), exactIntegers) ?? "null");
  } catch (error) {
    // An alias without an anchor, an alias inside its own value, or aliases that would expand beyond memory.
    return { data: {}, places: {}, problems: [{ line: 1, column: 1, text: aliasMistake(error) }] };
  }
  if (data === null) return { data: {}, places, problems };
  if (typeof data !== "object" || Array.isArray(data))
    return {
      data: {},
      places,
      problems: [{ line: 1, column: 1, text: "The file must be a map: lines of `key: value`." }],
    };
  return { data: data as JsonObject, places, problems };

  function placeOf(offset: number): { line: number; column: number } {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  }

  function note(node: unknown, path: string): void {
    if (isMap(node)) {
      for (const pair of node.items) {
        if (!isPair(pair) || !isScalar(pair.key)) continue;
        const at = path === "" ? String(pair.key.value) : `${path}.${String(pair.key.value)}`;
        mark(at, pair.key.range);
        note(pair.value, at);
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => {
        mark(`${path}.${index}`, (item as { range?: readonly number[] } | null)?.range);
        note(item, `${path}.${index}`);
      });
    }
  }

  function mark(path: string, range: readonly number[] | null | undefined): void {
    if (range === null || range === undefined) return;
    const { line, column } = placeOf(range[0]!);
    places[path] = [line, column];
  }
}

/** Replaces `${NAME}` and `${env:NAME}` in every text by the variable's value; unset ones stay as written. */
export function expandVariables(value: Json, get: (name: string) => string | undefined): Json {
  if (typeof value === "string")
    return value.includes("${") ? value.replace(VARIABLES, (written, name: string) => get(name) ?? written) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expandVariables(item as Json, get));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expandVariables(inner ?? null, get)]));
}

/** The first variable that a text still names, because it is not set. */
export function unsetVariableIn(text: string): string | undefined {
  return [...text.matchAll(VARIABLES)][0]?.[1];
}

const VARIABLES = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}/g;

import type { JsonObject } from "../../contract/common/json.ts";
import { wellFormed } from "../../contract/common/well-formed.ts";
import { parseExact } from "../../contract/common/parse-exact.ts";
import { readTolerantly, withoutEndTokens } from "./read-tolerantly.ts";

export type Decoded =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string };

const MAX_CHARS = 2 * 1024 * 1024;
const MAX_DEPTH = 100;

/**
 * Decodes a model's text for a call's arguments to an object. Unwraps, for every tool, what cannot change the meaning
 * (empty text, a code fence, JSON inside a JSON string, the same object repeated).
 * @param tolerant Also reads what models often get wrong (see `readTolerantly`), and ignores text and tags around the
 * object: a guess, so only for tools that change nothing.
 * @param read A model's text may contain whole numbers that code's never does.
 */
export function decodeArguments(
  text: string,
  tolerant: boolean,
  read: (text: string) => unknown = parseExact,
): Decoded {
  if (text.length > MAX_CHARS) return failed(`they are ${text.length} characters long; the limit is ${MAX_CHARS}`);
  const bare = unfence(withoutEndTokens(text.trim()).replace(/(?<=^\{[^]*\})\s*<\/(?:tool_call|function_call)>$/, ""));
  // Some models write no arguments at all as an empty list.
  if (bare === "" || bare === "null" || /^\[\s*\]$/.test(bare)) return { ok: true, args: {} };
  const flaw = scan(bare);
  if (flaw !== undefined && !(tolerant && flaw === NOT_JSON)) return failed(flaw);
  const parse = (json: string): { readonly value: unknown } | undefined => parsedBy(read, json);
  const parsed =
    parse(bare) ??
    parse(repeated(bare) ?? "") ??
    (tolerant ? (tolerantly(bare) ?? tolerantly(within(bare)) ?? parse(withoutWords(bare) ?? "")) : undefined);
  if (parsed === undefined)
    return failed(
      objectEnd(bare) === undefined
        ? `they are not valid JSON${whyNot(bare)}`
        : "something follows the JSON object; make one call for each object",
    );
  if (typeof parsed.value === "string") return decodeInner(parsed.value, tolerant, read);
  if (typeof parsed.value !== "object" || parsed.value === null || Array.isArray(parsed.value))
    return failed("they are not a JSON object");
  return { ok: true, args: wellFormed(parsed.value as JsonObject) };
}

/** Arguments from code: only what JSON can carry, under the same limits. */
export function decodeObject(args: JsonObject): Decoded {
  if (Array.isArray(args)) return failed("they are not a JSON object");
  let text: string | undefined;
  try {
    text = JSON.stringify(args);
  } catch (cause) {
    return failed(`they are not plain JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  return text === undefined ? failed("they are not a JSON object") : decodeArguments(text, false, JSON.parse);
}

function decodeInner(text: string, tolerant: boolean, read: (text: string) => unknown): Decoded {
  const inner = text.trim();
  // One layer only: what is still a string inside a string was not meant as arguments.
  return inner === "" || inner.startsWith("{") || inner.startsWith("```")
    ? decodeArguments(inner, tolerant, read)
    : failed("they are a string, not a JSON object");
}

function failed(what: string): Decoded {
  return { ok: false, message: `The arguments cannot be read: ${what}. Nothing was run.` };
}

function unfence(text: string): string {
  const fence = /^```[a-zA-Z]*\s*\n([\s\S]*?)\n?```$/.exec(text);
  return fence === null ? text : fence[1]!.trim();
}

function parsedBy(read: (text: string) => unknown, text: string): { readonly value: unknown } | undefined {
  try {
    return { value: read(text) };
  } catch {
    return undefined; // The scan has the words for what is wrong.
  }
}

function tolerantly(text: string): { readonly value: unknown } | undefined {
  const value = readTolerantly(text);
  return value === undefined ? undefined : { value };
}

/** Without a language's name before it, or the tag around it. */
const within = (text: string): string =>
  text
    .replace(/^json\s*(?=\{)/, "")
    .replace(/^<(arguments|parameters|args|input|json|tool_call)>\s*([\s\S]*?)\s*<\/\1>$/, "$2");

/** The parser's message, if it names the character or escape and its position. */
function whyNot(text: string): string {
  try {
    JSON.parse(text);
  } catch (cause) {
    // The author of the text does not need the parser's quote of it.
    return `: ${(cause as Error).message.replace(/, (?:\.\.\.)?"[^]*is not valid JSON$/, "").replace(" in JSON", "")}`;
  }
  return "";
}

/**
 * What `JSON.parse` would let pass or not say plainly: a key twice, too deep, a prototype's key, an end in the middle.
 */
function scan(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let key = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      const end = closingQuote(text, at);
      if (end < 0) return TRUNCATED;
      const keys = open.at(-1);
      if (key && keys !== undefined) {
        const bare = text.slice(at + 1, end);
        const name = bare.includes("\\") ? parsedBy(JSON.parse, `"${bare}"`)?.value : bare;
        if (typeof name !== "string") return NOT_JSON;
        if (name === "__proto__") return 'the key "__proto__" is not allowed';
        if (keys.has(name)) return `the key ${JSON.stringify(name)} occurs twice`;
        keys.add(name);
        key = false;
      }
      at = end;
    } else if (char === "{") {
      open.push(new Set());
      key = true;
    } else if (char === "[") {
      open.push(undefined);
      key = false;
    } else if (char === "}" || char === "]") {
      open.pop();
      key = false;
    } else if (char === ",") {
      key = open.at(-1) !== undefined;
    }
    if (open.length > MAX_DEPTH) return `they are nested more than ${MAX_DEPTH} deep`;
  }
  return open.length > 0 ? TRUNCATED : undefined;
}

/** The repeated JSON value, if the text is the same value twice or more. */
function repeated(text: string): string | undefined {
  const end = objectEnd(text);
  if (end === undefined) return undefined;
  const once = text.slice(0, end);
  let rest = text.slice(end).trimStart();
  while (rest.startsWith(once)) rest = rest.slice(once.length).trimStart();
  return rest === "" ? once : undefined;
}

/** The object before words that hold no other. */
function withoutWords(text: string): string | undefined {
  const end = objectEnd(text);
  return end === undefined || /[{[]/.test(text.slice(end)) ? undefined : text.slice(0, end);
}

/** Where the object that the text begins with ends, when something follows it. */
function objectEnd(text: string): number | undefined {
  if (!text.startsWith("{")) return undefined;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = closingQuote(text, at);
      if (at < 0) return undefined;
    } else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1 < text.length ? at + 1 : undefined;
  }
  return undefined;
}

const NOT_JSON = "they are not valid JSON";
const TRUNCATED =
  "they end too early; the answer was probably cut off, so send the call again, in smaller pieces if it is long";

function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

import type { Json } from "../../contract/common/json.ts";
import { PIECE, runSteps, type Steps } from "./spans.ts";
import { nameKind } from "./value-names.ts";

type Redact = (text: string) => string;
type RedactSteps = (text: string) => Steps<string>;

/**
 * A value with the secrets in its texts and keys masked. Do this before you make JSON of it: what is a line break here
 * is two characters there. The same object if there was nothing to mask.
 */
export function maskValue<T>(value: T, redact: Redact): T {
  return runSteps(maskValueSteps(value, (text) => now(redact(text))));
}

/** As `maskValue`, but yields in between. */
export function* maskValueSteps<T>(value: T, redact: RedactSteps): Steps<T> {
  let left = PIECE;
  return (yield* masked("", value, pausing, 0)) as T;

  /** Many short texts take as long as a long one. */
  function* pausing(text: string): Steps<string> {
    left -= text.length + CALL_CHARS;
    if (left < 0) {
      yield;
      left = PIECE;
    }
    return yield* redact(text);
  }
}

/** A text that stands under a key, which may say that it is a secret. For the replacer of `JSON.stringify`. */
export function maskField(key: string, text: string, redact: Redact): string {
  return runSteps(fieldSteps(key, text, (one) => now(redact(one))));
}

// oxlint-disable-next-line require-yield -- never pauses
function* now(text: string): Steps<string> {
  return text;
}

/** What one text costs, however short, as characters. */
const CALL_CHARS = 50;

type Fields = { readonly [key: string]: unknown };

/** Deeper, a value is masked as the JSON that is made of it; one that contains itself fails there. */
const MAX_DEPTH = 100;

function* masked(key: string, value: unknown, redact: RedactSteps, depth: number): Steps<unknown> {
  if (typeof value === "string") return yield* fieldSteps(key, value, redact);
  if (depth > MAX_DEPTH) return JSON.parse(yield* redact(JSON.stringify(value) ?? "null"));
  if (Array.isArray(value)) {
    let changed: unknown[] | undefined;
    for (const [at, item] of value.entries()) {
      const next = yield* masked(key, item, redact, depth + 1);
      if (next !== item) (changed ??= [...value])[at] = next;
    }
    return changed ?? value;
  }
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") {
    const plain: unknown = toJSON.call(value, key);
    const next = plain === value ? plain : yield* masked(key, plain, redact, depth + 1);
    return next === plain ? value : next;
  }
  return yield* fieldsMasked(value as Fields, redact, depth);
}

function* fieldsMasked(fields: Fields, redact: RedactSteps, depth: number): Steps<Fields> {
  const names = namedBy(fields);
  let changed: [string, unknown][] | undefined;
  const entries = Object.entries(fields);
  for (const [at, [key, item]] of entries.entries()) {
    const nextKey = yield* redact(key);
    const next = yield* masked(
      names !== undefined && VALUES.has(key.toLowerCase()) ? names : key,
      item,
      redact,
      depth + 1,
    );
    if (nextKey !== key || next !== item) (changed ??= [...entries])[at] = [nextKey, next];
  }
  return changed === undefined ? fields : Object.fromEntries(changed);
}

/** `{ name: "API_KEY", value: … }`: the name of what another field holds. */
function namedBy(fields: Fields): string | undefined {
  for (const key of ["name", "key", "variable", "Name", "Key"]) {
    const name = fields[key];
    if (typeof name === "string" && name.length <= 80 && nameKind(name) !== undefined) return name;
  }
  return undefined;
}

const VALUES = new Set(["value", "val", "stringvalue"]);

function* fieldSteps(key: string, text: string, redact: RedactSteps): Steps<string> {
  const plain = yield* redact(text);
  if (key === "" || key.length > 80 || nameKind(key) === undefined) return plain;
  // Asked as JSON, so that one grammar decides what is a secret under this name.
  const field = yield* redact(`{${JSON.stringify(key)}: ${JSON.stringify(plain)}}`);
  try {
    const [found] = Object.values(JSON.parse(field) as { readonly [key: string]: Json });
    return typeof found === "string" ? found : plain;
  } catch {
    return plain;
  }
}

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
  return isFree(value, redact) ? value : runSteps(maskValueSteps(value, (text) => now(redact(text))));
}

/**
 * Whether a small value has nothing to mask, as most values. `false` also if that takes longer to find out than a
 * quick look; then use `maskValue`.
 */
export function isFree(value: unknown, redact: Redact): boolean {
  let left = QUICK_CHARS;
  return free("", value, 0);

  function free(key: string, item: unknown, depth: number): boolean {
    if (typeof item === "string") return passes(item) && !mayBeSecret(key);
    if (typeof item !== "object" || item === null) return true;
    if (depth > QUICK_DEPTH || typeof (item as { readonly toJSON?: unknown }).toJSON === "function") return false;
    if (Array.isArray(item)) return item.every((one) => free(key, one, depth + 1));
    const fields = item as Fields;
    const names = namedBy(fields);
    for (const name of Object.keys(fields))
      if (!passes(name) || !free(keyOf(name, names), fields[name], depth + 1)) return false;
    return true;
  }

  function passes(text: string): boolean {
    left -= text.length + CALL_CHARS;
    return left >= 0 && redact(text) === text;
  }
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
/** How many characters `isFree` looks at, and how deep. */
const QUICK_CHARS = 4096;
const QUICK_DEPTH = 8;

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
    const next = yield* masked(keyOf(key, names), item, redact, depth + 1);
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

/** The name of what a field holds: its key, or `names` if it is the value beside that name. */
function keyOf(key: string, names: string | undefined): string {
  return names !== undefined && VALUES.has(key.toLowerCase()) ? names : key;
}

/** Whether a text under this key may be a secret because of the key. */
function mayBeSecret(key: string): boolean {
  return key !== "" && key.length <= 80 && nameKind(key) !== undefined;
}

const VALUES = new Set(["value", "val", "stringvalue"]);

function* fieldSteps(key: string, text: string, redact: RedactSteps): Steps<string> {
  const plain = yield* redact(text);
  if (!mayBeSecret(key)) return plain;
  // Asked as JSON, so that one grammar decides what is a secret under this name.
  const field = yield* redact(`{${JSON.stringify(key)}: ${JSON.stringify(plain)}}`);
  try {
    const [found] = Object.values(JSON.parse(field) as { readonly [key: string]: Json });
    return typeof found === "string" ? found : plain;
  } catch {
    return plain;
  }
}

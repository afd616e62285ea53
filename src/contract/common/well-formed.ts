/**
 * The value with whole characters only: each half of a surrogate pair becomes U+FFFD, in strings, lists and keys at any
 * depth. Strict servers refuse a request that has such a half. A value without one is returned itself.
 */
export function wellFormed<T>(value: T): T {
  return repaired(value, false) as T;
}

/**
 * As {@link wellFormed}, for JSON as text: also without escapes of half a character, which only appear when it is
 * parsed.
 */
export function wellFormedJson(text: string): string {
  const whole = text.toWellFormed();
  if (!HALF_ESCAPE.test(whole)) return whole;
  return whole.replace(ESCAPES, (escape, high: string | undefined, low: string | undefined) =>
    low === undefined && (high !== undefined || HALF_ESCAPE.test(escape)) ? "\\ufffd" : escape,
  );
}

/** A message or fact: the arguments of its calls are JSON as text, so they are repaired as such. */
export function wellFormedCalls<T>(value: T): T {
  return repaired(value, true) as T;
}

const HALF_ESCAPE = /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/;
/** Every escape, so that `\\u` is not read as one of `u`; a first half with the second that follows it is one match. */
const ESCAPES = /\\(?:u([dD][89abAB][0-9a-fA-F]{2})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|u[0-9a-fA-F]{4}|[^u])/g;

type Fields = { readonly [key: string]: unknown };

/** @param calls Whether the `args` of calls are JSON as text. */
function repaired(value: unknown, calls: boolean): unknown {
  // Nearly every value is whole: look first, and copy nothing.
  return isWhole(value, calls) ? value : copied(value, calls);
}

function isWhole(value: unknown, calls: boolean): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) {
    for (const item of value) if (!isWhole(item, calls)) return false;
    return true;
  }
  if (typeof value !== "object" || value === null || !isPlain(value)) return true;
  const fields = value as Fields;
  for (const key in fields) {
    const item = fields[key];
    if (!key.isWellFormed() || !isWhole(item, calls)) return false;
    if (calls && key === "args" && typeof item === "string" && isCall(fields) && HALF_ESCAPE.test(item)) return false;
  }
  return true;
}

function copied(value: unknown, calls: boolean): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map((item) => repaired(item, calls));
  if (typeof value !== "object" || value === null || !isPlain(value)) return value;
  const json = calls && isCall(value as Fields);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key.toWellFormed(),
      json && key === "args" && typeof item === "string" ? wellFormedJson(item) : repaired(item, calls),
    ]),
  );
}

function isCall(fields: Fields): boolean {
  return fields["type"] === "tool-call";
}

/** Bytes, dates and the like have no text to repair. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

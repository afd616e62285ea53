import type { Json } from "../../contract/common/json.ts";

/**
 * The value with keys sorted at every depth, so that equal values have equal bytes. Drops keys with the value
 * `undefined`. Does not copy what is sorted already.
 */
export function canonical(value: Json): Json {
  if (typeof value !== "object" || value === null || inOrder(value)) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const object = value as { readonly [key: string]: Json | undefined };
  const sorted: { [key: string]: Json } = {};
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item === undefined) continue;
    // Assigned, this key would change what the copy inherits.
    if (key === "__proto__")
      Object.defineProperty(sorted, key, {
        value: canonical(item),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else sorted[key] = canonical(item);
  }
  return sorted;
}

/** Most of what comes here (tool schemas of every start) is: looking costs a fraction of copying. */
function inOrder(value: object): boolean {
  if (Array.isArray(value)) return value.every((item) => typeof item !== "object" || item === null || inOrder(item));
  let before: string | undefined;
  for (const [key, item] of Object.entries(value)) {
    if (
      item === undefined ||
      (before !== undefined && key < before) ||
      (typeof item === "object" && item !== null && !inOrder(item))
    )
      return false;
    before = key;
  }
  return true;
}

export function canonicalText(value: Json): string {
  return JSON.stringify(canonical(value));
}

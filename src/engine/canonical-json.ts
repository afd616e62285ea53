import type { Json } from "../contract/json.ts";

/** A copy whose keys are sorted at every depth, so that equal values have equal bytes. Keys without a value are left out. */
export function canonical(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(canonical);
  const object = value as { readonly [key: string]: Json | undefined };
  const sorted: { [key: string]: Json } = Object.create(null);
  for (const key of Object.keys(object).sort()) {
    const item = object[key];
    if (item !== undefined) sorted[key] = canonical(item);
  }
  // Back to a plain object for whoever compares it; the keys are own properties already, `__proto__` too.
  return Object.setPrototypeOf(sorted, Object.prototype) as Json;
}

export function canonicalText(value: Json): string {
  return JSON.stringify(canonical(value));
}

import type { Json } from "../contract/json.ts";

/** The value with keys sorted at every depth, so that equal values have equal bytes. Keys without a value are left out. What is in order already is not copied. */
export function canonical(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(canonical);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const object = value as { readonly [key: string]: Json | undefined };
  const keys = Object.keys(object);
  let same = true;
  for (let at = 1; at < keys.length; at++) same &&= keys[at - 1]! < keys[at]!;
  if (!same) keys.sort();
  const sorted: { [key: string]: Json } = {};
  for (const key of keys) {
    const before = object[key];
    const item = before === undefined ? undefined : canonical(before);
    same &&= item !== undefined && item === before;
    if (item === undefined) continue;
    // Assigned, this key would change what the copy inherits.
    if (key === "__proto__") Object.defineProperty(sorted, key, { value: item, enumerable: true, writable: true, configurable: true });
    else sorted[key] = item;
  }
  return same ? value : sorted;
}

export function canonicalText(value: Json): string {
  return JSON.stringify(canonical(value));
}

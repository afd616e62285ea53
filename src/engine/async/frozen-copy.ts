/** A deep, frozen copy of plain objects and arrays. Anything else (signals, class instances) is passed unchanged. */
export function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  const prototype = Object.getPrototypeOf(value) as unknown;
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy: { [key: string]: unknown } = {};
  for (const key of Object.keys(value)) {
    const item = frozenCopy((value as { [key: string]: unknown })[key]);
    // A key named __proto__ would set the copy's prototype instead of a property.
    if (key === "__proto__") Object.defineProperty(copy, key, { value: item, enumerable: true });
    else copy[key] = item;
  }
  return Object.freeze(copy) as T;
}

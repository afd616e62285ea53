/**
 * The value without the keys that are `undefined`, at every depth of plain objects and arrays. A record may leave a
 * field out or set it to `undefined`, and readers see no difference; `assert.deepEqual` does, so compare
 * `withoutUndefined(actual)` with the fields you expect.
 */
export function withoutUndefined<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutUndefined) as T;
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutUndefined(item)])) as T;
}

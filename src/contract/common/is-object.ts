import type { JsonObject } from "./json.ts";

/** Neither a list nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For parsed files and responses: the value if it is an object, else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

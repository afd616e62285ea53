import type { JsonObject } from "./json.ts";

/** Neither a list nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** For what is read from somebody else's answer or a file: an empty one where there is none. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

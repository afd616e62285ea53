import type { JsonObject } from "./json.ts";

/** Neither a list nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

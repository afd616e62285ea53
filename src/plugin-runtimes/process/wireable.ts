import type { JsonObject } from "../../contract/common/json.ts";

/** The parts that can be sent: no functions, no signals, nothing undefined. */
export function wireable(value: { readonly [key: string]: unknown }): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(
      ([, item]) => item !== undefined && typeof item !== "function" && !(item instanceof AbortSignal),
    ),
  ) as JsonObject;
}

/** A plain object, not an instance of a class. */
export function isPlain(value: unknown): value is { readonly [key: string]: unknown } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype
  );
}

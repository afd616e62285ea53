import { wellFormed, type Json, type JsonObject } from "hermes-agent/plugin";

/**
 * A call's arguments for replay: equal values give equal bytes, and the result is always one object, because many
 * servers parse it. Invalid JSON stays readable under `invalid_json`.
 */
export function canonicalArguments(args: string): JsonObject {
  if (args.trim() === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(args);
  } catch {
    return { invalid_json: args };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (sortKeys(wellFormed(value as JsonObject)) as JsonObject)
    : { invalid_json: args };
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const record = value as JsonObject;
  // Entries, not assignment: a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.keys(record)
      .sort()
      .map((key) => [key, sortKeys(record[key] as Json)]),
  );
}

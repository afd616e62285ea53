import type { Json } from "hermes-agent/plugin";
import type { Field } from "./environments.ts";

/**
 * Converts the value to the field's type; `undefined` if it does not fit. A model may pass a number or a list as text.
 */
export function fitValue({ kinds, choices }: Pick<Field, "kinds" | "choices">, value: Json): Json | undefined {
  if (fits(kinds, choices, value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const read = JSON.parse(
      value.toLowerCase() === "none" ? "null" : /^(?:true|false)$/i.test(value) ? value.toLowerCase() : value,
    ) as Json;
    return fits(kinds, choices, read) ? read : undefined;
  } catch {
    return undefined; // Not JSON, so it is only text.
  }
}

/** The accepted values in words, for an error. */
export function expectedOf({ kinds, choices, type }: Field): string {
  return choices === null
    ? (kinds?.join(" or ") ?? type)
    : `one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
}

function fits(kinds: Field["kinds"], choices: Field["choices"], value: Json): boolean {
  if (choices !== null) return choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value));
  if (kinds === null) return true;
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return kinds.includes(kind) || (kind === "number" && kinds.includes("integer") && Number.isInteger(value));
}

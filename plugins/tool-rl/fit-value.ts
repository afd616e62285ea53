import type { Json } from "hermes-agent/plugin";
import type { Field } from "./environments.ts";

/** The value as the field takes it; `undefined` when it does not. A model may write a number or a list as text. */
export function fitValue({ kinds, choices }: Pick<Field, "kinds" | "choices">, value: Json): Json | undefined {
  if (fits(kinds, choices, value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const read = JSON.parse(
      value.toLowerCase() === "none" ? "null" : /^(?:true|false)$/i.test(value) ? value.toLowerCase() : value,
    ) as Json;
    return fits(kinds, choices, read) ? read : undefined;
  } catch {
    return undefined; // It is text and nothing else.
  }
}

/** In words, for a refusal. */
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

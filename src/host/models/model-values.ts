import { objectOf } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";

/** Configuration values with the expected type; any other value counts as absent. */
export function words(value: Json | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** The strings of an object, by name. */
export function stringsOf(value: Json | undefined): { readonly [name: string]: string } | undefined {
  const entries = Object.entries(objectOf(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

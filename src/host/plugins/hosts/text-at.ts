import type { JsonObject } from "../../../contract/json.ts";

/** A text, "" where there is none. */
export function textAt(message: JsonObject, name: string): string {
  const value = message[name];
  return typeof value === "string" ? value : "";
}

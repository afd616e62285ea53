import type { JsonObject } from "../../contract/common/json.ts";

/** A string, "" if there is none. */
export function textAt(message: JsonObject, name: string): string {
  const value = message[name];
  return typeof value === "string" ? value : "";
}

import { parseExact } from "../../contract/common/parse-exact.ts";
import type { Json } from "../../contract/common/json.ts";
import { typesOf, type Setting } from "./setting.ts";

/**
 * The text of a flag, variable or `config set` as the setting's type asks; lists and maps as JSON, lists also with
 * commas, in brackets or without.
 */
export function readTyped(text: string, setting: Setting): Json {
  const types = typesOf(setting);
  if (types.includes("string") || setting.enum !== undefined) return text;
  if (types.includes("array") || types.includes("object") || types.length === 0) {
    try {
      const value = parseExact(text) as Json;
      if (types.length === 0 || typeof value === "object") return value;
    } catch {
      // Not JSON: a plain text, or values between commas.
    }
    if (types.includes("array")) return itemsOf(text);
  }
  return text;
}

/** `[a, 'b']` is a list in YAML. */
function itemsOf(text: string): readonly string[] {
  const inside = /^\s*\[([^]*)\]\s*$/.exec(text)?.[1] ?? text;
  return inside
    .split(",")
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, "$2"))
    .filter((item) => item !== "");
}

import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { oneLine } from "./printable.ts";

/** The argument that identifies a call for the user. */
export function subjectOf(args: JsonObject | undefined): string {
  if (args === undefined) return "";
  for (const key of ["command", "pattern", "path", "url", "query", "question", "goal", "action", "location", "name"]) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return oneLine(value);
  }
  const parts = Object.values(args).flatMap(partsOf);
  if (parts.length > 0) return parts.join(" · ");
  const text = JSON.stringify(args);
  return text === "{}" ? "" : oneLine(text);
}

/** The subjects of a list of tasks or to-do items. */
function partsOf(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part: Json) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return [];
    const { goal, content } = part as JsonObject;
    const subject = goal ?? content;
    return typeof subject === "string" && subject !== "" ? [oneLine(subject)] : [];
  });
}

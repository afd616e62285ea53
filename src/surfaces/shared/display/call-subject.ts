import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { oneLine } from "./printable.ts";

/** The argument a person recognises a call by. */
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

/** Of a list of tasks, of a list of what is to be done: what each is about. */
function partsOf(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part: Json) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return [];
    const { goal, content } = part as JsonObject;
    const subject = goal ?? content;
    return typeof subject === "string" && subject !== "" ? [oneLine(subject)] : [];
  });
}

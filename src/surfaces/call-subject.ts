import type { JsonObject } from "../contract/json.ts";
import { oneLine } from "./printable.ts";

/** The argument a person recognises a call by. */
export function subjectOf(args: JsonObject | undefined): string {
  if (args === undefined) return "";
  for (const key of ["command", "pattern", "path", "url", "query", "question", "goal", "action", "location", "name"]) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return oneLine(value);
  }
  const goals = Array.isArray(args["tasks"]) ? args["tasks"].flatMap((task) => (typeof task === "object" && task !== null && "goal" in task && typeof task.goal === "string" ? [oneLine(task.goal)] : [])) : [];
  if (goals.length > 0) return goals.join(" · ");
  const text = JSON.stringify(args);
  return text === "{}" ? "" : oneLine(text);
}

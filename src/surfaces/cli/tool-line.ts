import type { JsonObject } from "../../contract/json.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import type { CallEnding } from "./call-ending.ts";
import { printable } from "./printable.ts";
import { cutTo, width } from "./width.ts";

export interface ShownCall {
  readonly name: string;
  readonly declaration: ToolDeclaration | undefined;
  readonly args: JsonObject | undefined;
}

export interface ToolLineOptions {
  /** Longest argument; 0: what fits. */
  readonly previewLength: number;
  readonly ended?: { readonly ending: CallEnding; readonly durationMs: number };
}

const NAME_AT_MOST = 32;

/** `💻 terminal  npm test  1.2s  exit 1`: one line for one call, cut to the screen; what went wrong stays readable before the subject does. */
export function toolLine(call: ShownCall, columns: number, options: ToolLineOptions): string {
  const head = headOf(call);
  const { ended, previewLength } = options;
  const preview = previewLength === 0 ? subjectOf(call.args) : cutTo(subjectOf(call.args), previewLength);
  if (ended === undefined) return cutTo(`${head}  ${cutTo(preview, Math.max(8, columns - width(head) - 2))}`.trimEnd(), columns);
  const { ending, durationMs } = ended;
  const time = ending.kind === "refused" || (ending.kind === "stopped" && durationMs === 0) ? "" : `  ${seconds(durationMs)}`;
  const why = ending.text === "" ? "" : `  ${ending.kind === "ok" ? "" : "✗ "}${oneLine(ending.text)}`;
  const subject = cutTo(preview, Math.max(Math.floor(columns / 3), columns - width(head) - width(time) - width(why) - 2));
  return cutTo(`${head}${subject === "" ? "" : `  ${subject}`}${time}${why}`, columns);
}

/** `💻 terminal`. */
function headOf({ name, declaration }: ShownCall): string {
  return `${declaration?.emoji || "⚡"} ${cutTo(oneLine(name), NAME_AT_MOST)}`;
}

/** The argument a person recognises a call by. */
export function subjectOf(args: JsonObject | undefined): string {
  if (args === undefined) return "";
  for (const key of ["command", "pattern", "path", "url", "query", "question", "action", "location", "name"]) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return oneLine(value);
  }
  const text = JSON.stringify(args);
  return text === "{}" ? "" : oneLine(text);
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(2)}s`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  return `${Math.floor(ms / 60_000)}m${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")}s`;
}

export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s+/g, " ").trim());
}

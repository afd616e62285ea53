import type { JsonObject } from "../../contract/json.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { width } from "./table.ts";

/** `💻 terminal  npm test  1.2s`: one line for one call, cut to the screen. */
export function toolLine(tool: { readonly name: string; readonly declaration: ToolDeclaration | undefined; readonly args: JsonObject | undefined; readonly result?: { readonly ok: boolean; readonly text: string; readonly durationMs: number } }, columns: number): string {
  const emoji = tool.declaration?.emoji ?? "⚡";
  const head = `${emoji} ${tool.name}`;
  const time = tool.result === undefined ? "" : `  ${seconds(tool.result.durationMs)}`;
  const failure = tool.result === undefined || tool.result.ok ? "" : `  ✗ ${oneLine(tool.result.text)}`;
  const room = Math.max(10, columns - width(head) - width(time) - width(failure) - 3);
  return `${head}  ${cutTo(subjectOf(tool.args), room)}${time}${failure === "" ? "" : cutTo(failure, Math.max(20, columns - width(head) - width(time) - 4))}`.trimEnd();
}

/** The argument a person recognises a call by. */
export function subjectOf(args: JsonObject | undefined): string {
  if (args === undefined) return "";
  for (const key of ["command", "path", "pattern", "url", "query", "question", "action", "location", "name"]) {
    const value = args[key];
    if (typeof value === "string" && value !== "") return oneLine(value);
  }
  const text = JSON.stringify(args);
  return text === "{}" ? "" : oneLine(text);
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(2)}s`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  return `${Math.floor(ms / 60_000)}m${String(Math.round((ms % 60_000) / 1000)).padStart(2, "0")}s`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function cutTo(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  for (const character of text) {
    if (width(kept + character) > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

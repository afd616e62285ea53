import type { JsonObject } from "../../../contract/common/json.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import type { CallEnding } from "../../shared/display/call-ending.ts";
import { callTitle } from "../../shared/display/call-title.ts";
import { oneLine } from "../../shared/display/printable.ts";
import { cutTo, width } from "../../shared/display/width.ts";
import { wrapTo } from "../../shared/display/wrap.ts";

export interface ShownCall {
  readonly name: string;
  readonly declaration: ToolDeclaration | undefined;
  readonly args: JsonObject | undefined;
}

export interface EndedCall {
  readonly ending: CallEnding;
  readonly durationMs: number;
}

const REASON_LINES = 4;
const SHORT_REASON = 12;
const TITLE_AT_LEAST = 20;

/** `💻 $ npm test`: a running call, cut to the screen width. `argumentLength` limits an argument; 0: as much as fits. */
export function toolLine(call: ShownCall, columns: number, argumentLength: number): string {
  return cutTo(`${emojiOf(call)} ${callTitle(call, argumentLength)}`, columns);
}

/**
 * `💻 $ npm test  1.2s  exit 1`: one line for an ended call. An error that does not fit follows on further lines.
 * @param summary What the call did, such as `+3 −1`; it follows the title.
 */
export function endedLines(
  call: ShownCall,
  columns: number,
  argumentLength: number,
  { ending, durationMs }: EndedCall,
  summary = "",
): readonly string[] {
  const title = `${emojiOf(call)} ${callTitle(call, argumentLength)}`;
  const time =
    ending.kind === "refused" || (ending.kind === "stopped" && durationMs === 0) ? "" : `  ${seconds(durationMs)}`;
  const behind = `${summary === "" ? "" : ` ${summary}`}${time}`;
  const mark = ending.kind === "ok" ? "" : "✗ ";
  const reason = oneLine(ending.text);
  const line = (why: string): string => {
    // Shorten the title to show a short reason.
    const least = width(reason) <= SHORT_REASON ? TITLE_AT_LEAST : Math.floor(columns / 2);
    return `${cutTo(title, Math.max(least, columns - width(behind) - width(why)))}${behind}${why}`;
  };
  const whole = line(reason === "" ? "" : `  ${mark}${reason}`);
  if (width(whole) <= columns) return [whole];
  return [
    cutTo(line(""), columns),
    ...wrapTo(`${mark}${reason}`, columns - 3, REASON_LINES).map((text) => `   ${text}`),
  ];
}

function emojiOf({ declaration }: ShownCall): string {
  return declaration?.emoji || "⚡";
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(2)}s`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  return `${Math.floor(ms / 60_000)}m${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")}s`;
}

import type { JsonObject } from "../../../contract/common/json.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import type { CallEnding } from "../../shared/display/call-ending.ts";
import { subjectOf } from "../../shared/display/call-subject.ts";
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

const NAME_AT_MOST = 32;
const REASON_LINES = 4;
const SHORT_REASON = 12;

/**
 * `💻 terminal  npm test`: a running call, cut to the screen width. `previewLength` limits the argument; 0: as much as
 * fits.
 */
export function toolLine(call: ShownCall, columns: number, previewLength: number): string {
  const head = headOf(call);
  return cutTo(
    `${head}  ${cutTo(previewOf(call, previewLength), Math.max(8, columns - width(head) - 2))}`.trimEnd(),
    columns,
  );
}

/**
 * `💻 terminal  npm test  1.2s  exit 1`: one line for an ended call. An error that does not fit follows on further
 * lines.
 */
export function endedLines(
  call: ShownCall,
  columns: number,
  previewLength: number,
  { ending, durationMs }: EndedCall,
): readonly string[] {
  const head = headOf(call);
  const preview = previewOf(call, previewLength);
  const time =
    ending.kind === "refused" || (ending.kind === "stopped" && durationMs === 0) ? "" : `  ${seconds(durationMs)}`;
  const mark = ending.kind === "ok" ? "" : "✗ ";
  const reason = oneLine(ending.text);
  const line = (why: string): string => {
    // Shorten the subject to show a short reason.
    const least = width(reason) <= SHORT_REASON ? 8 : Math.floor(columns / 3);
    const subject = cutTo(preview, Math.max(least, columns - width(head) - width(time) - width(why) - 2));
    return `${head}${subject === "" ? "" : `  ${subject}`}${time}${why}`;
  };
  const whole = line(reason === "" ? "" : `  ${mark}${reason}`);
  if (width(whole) <= columns) return [whole];
  return [
    cutTo(line(""), columns),
    ...wrapTo(`${mark}${reason}`, columns - 3, REASON_LINES).map((text) => `   ${text}`),
  ];
}

function previewOf({ args }: ShownCall, previewLength: number): string {
  return previewLength === 0 ? subjectOf(args) : cutTo(subjectOf(args), previewLength);
}

/** `💻 terminal`. */
function headOf({ name, declaration }: ShownCall): string {
  return `${declaration?.emoji || "⚡"} ${cutTo(oneLine(name), NAME_AT_MOST)}`;
}

export function seconds(ms: number): string {
  if (ms < 1000) return `${(ms / 1000).toFixed(2)}s`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}s`;
  return `${Math.floor(ms / 60_000)}m${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")}s`;
}

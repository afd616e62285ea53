import { previewOf } from "../../shared/display/call-preview.ts";
import type { Display } from "../../shared/display/display.ts";
import type { PreviewLine } from "../../shared/display/preview-line.ts";
import { printable } from "../../shared/display/printable.ts";
import type { ShownCall } from "./tool-line.ts";

/** What stands with an ended call. */
export interface CallDetails {
  /** For its title, such as `+3 −1`. */
  readonly summary: string;
  /** Below its title. */
  readonly lines: readonly PreviewLine[];
  readonly isDiff?: true;
}

const VERBOSE_LINES = 20;
const EXPANDED_LINES = 200;

/**
 * The details of an ended call.
 * @param result The text that the model read; `undefined` if the call did not succeed.
 * @param size `whole`: everything; `expanded`: all but very long results; `short`: what fits beside other calls.
 * @param hint How the user sees the lines that are left out, for the line that counts them.
 */
export function detailsOf(
  call: ShownCall,
  result: string | undefined,
  { toolProgress, diffs }: Pick<Display, "toolProgress" | "diffs">,
  size: "short" | "expanded" | "whole" = "short",
  hint = "",
): CallDetails {
  const verbose = toolProgress === "verbose";
  const args = verbose && call.args !== undefined ? JSON.stringify(call.args, null, 2).split("\n").map(plain) : [];
  const argLines = cut(args, VERBOSE_LINES, "beginning", "");
  if (result === undefined) return { summary: "", lines: argLines };
  const { summary, lines, shortLines, shortPart, isDiff } = previewOf(result, call.args);
  const shown = [...argLines, ...cut(lines, linesToShow(), shortPart, hint)];
  return { summary, lines: shown, isDiff };

  function linesToShow(): number {
    if (size === "whole") return lines.length + 1;
    if (size === "expanded") return EXPANDED_LINES;
    if (isDiff === true) return diffs ? shortLines : 0;
    return verbose ? Math.max(shortLines, VERBOSE_LINES) : shortLines;
  }
}

function plain(text: string): PreviewLine {
  return { kind: "plain", text: printable(text) };
}

/** One line counts those that are left out, where they are. */
function cut(
  lines: readonly PreviewLine[],
  most: number,
  part: "beginning" | "end",
  hint: string,
): readonly PreviewLine[] {
  if (most === 0) return [];
  const left = lines.length - most + 1;
  if (left <= 1) return lines;
  const rest = plain(`… ${left} more lines${hint === "" ? "" : ` (${hint})`}`);
  return part === "beginning" ? [...lines.slice(0, most - 1), rest] : [rest, ...lines.slice(left)];
}

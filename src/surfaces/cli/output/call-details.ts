import { shownOf, type SettledOutcome } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { Display } from "../../shared/display/display.ts";
import { printable } from "../../shared/display/printable.ts";
import type { ShownCall } from "./tool-line.ts";

/** A line below a call: of its diff, or of its arguments and result. */
export interface DetailLine {
  readonly kind: "added" | "removed" | "plain";
  readonly text: string;
}

const MAX_DIFF_LINES = 40;
const MAX_TEXT_LINES = 20;

/** The lines below an ended call. */
export function detailsOf(
  call: ShownCall,
  outcome: SettledOutcome,
  display: Pick<Display, "toolProgress" | "diffs">,
): readonly DetailLine[] {
  const text = textOf(shownOf(outcome));
  const diff = display.diffs && outcome.kind === "ok" ? diffIn(text) : "";
  const verbose = display.toolProgress === "verbose";
  const args =
    verbose && call.args !== undefined
      ? cut(JSON.stringify(call.args, null, 2).split("\n"), MAX_TEXT_LINES).map(plain)
      : [];
  if (diff !== "") return [...args, ...cut(diff.trimEnd().split("\n"), MAX_DIFF_LINES).map(diffLine)];
  return verbose ? [...args, ...cut(text.trimEnd().split("\n"), MAX_TEXT_LINES).map(plain)] : [];
}

/** A tool that changes files may return a unified diff. */
function diffIn(text: string): string {
  if (!text.startsWith("{") || !text.includes('"diff"')) return "";
  try {
    const { diff } = JSON.parse(text) as { readonly diff?: unknown };
    return typeof diff === "string" ? diff : "";
  } catch {
    return ""; // The result is truncated or not JSON.
  }
}

function diffLine(text: string): DetailLine {
  const kind = /^\+(?!\+\+ )/.test(text) ? "added" : /^-(?!-- )/.test(text) ? "removed" : "plain";
  return { kind, text: printable(text) };
}

function plain(text: string): DetailLine {
  return { kind: "plain", text: printable(text) };
}

function cut(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `… ${lines.length - most + 1} more lines`];
}

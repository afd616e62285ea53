import type { Fact } from "../../../contract/conversation/fact.ts";
import { cutTo, width } from "../../shared/display/width.ts";
import { seconds } from "./tool-line.ts";
import { oneLine } from "../../shared/display/printable.ts";

type Ended = Extract<Fact, { type: "subagent.ended" }>;

const WHY: { readonly [reason in Ended["reason"]]: string } = {
  done: "",
  limit: "used all its requests",
  budget: "used up its budget",
  cancelled: "stopped",
  timeout: "out of time",
  failed: "failed",
};

/** `↳ count the lines  3.2s`: one line for an ended subagent, with the reason if it did not finish. */
export function endedSubagentLine(
  goal: string,
  { reason, durationMs }: Pick<Ended, "reason" | "durationMs">,
  columns: number,
): string {
  const why = WHY[reason] === "" ? "" : `  ✗ ${WHY[reason]}`;
  return subagentLine("↳", goal, `  ${seconds(durationMs)}${why}`, columns);
}

/** Does the same for a tree: `✓ count the lines  3.2s`, `✗ count the lines  3.2s  out of time`. */
export function endedBranchLine(
  goal: string,
  { reason, durationMs }: Pick<Ended, "reason" | "durationMs">,
  columns: number,
): string {
  return subagentLine(
    reason === "done" ? "✓" : "✗",
    goal,
    `  ${seconds(durationMs)}  ${WHY[reason]}`.trimEnd(),
    columns,
  );
}

/** `⠋ count the lines  3s  terminal wc -l`: shortens the goal first, not the text behind it. */
export function subagentLine(sign: string, goal: string, rest: string, columns: number): string {
  const behind = cutTo(oneLine(rest) === "" ? "" : `  ${rest.trimStart()}`, Math.max(8, Math.floor(columns / 2)));
  return `${sign} ${cutTo(oneLine(goal), Math.max(8, columns - width(behind) - width(sign) - 1))}${behind}`;
}

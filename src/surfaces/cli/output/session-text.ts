import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { costText } from "../../shared/costs/session-cost.ts";
import { endingOfText } from "../../shared/display/call-ending.ts";
import type { Io } from "../../shared/process/io.ts";
import { printable } from "../../shared/display/printable.ts";
import { endedLines } from "./tool-line.ts";

/** A conversation as the screen showed it: messages, and a line for each call. `export` writes everything. */
export function sessionText(
  session: SessionSummary,
  view: SessionView,
  toolOf: (name: string) => ToolDeclaration | undefined,
  io: Pick<Io, "columns" | "styleOut">,
): string {
  const title = view.title === undefined ? "" : ` “${printable(view.title)}”`;
  const cost = costText({ costUsd: session.costUsd ?? 0, unknown: session.unknownCosts ?? 0 });
  const head = io.styleOut(
    "dim",
    `${session.id}${title} · ${view.model ?? "no model"} · ${view.turns} ${view.turns === 1 ? "turn" : "turns"}${cost === "" ? "" : ` · ${cost}`}`,
  );
  let text = `${head}\n`;
  let before = "";
  for (const entry of view.entries) {
    const line = lineOf(entry);
    if (line === "") continue;
    text += `${before === "tool" && entry.kind === "tool" ? "" : "\n"}${line}\n`;
    before = entry.kind;
  }
  return text;

  function lineOf(entry: SessionView["entries"][number]): string {
    switch (entry.kind) {
      case "user":
        return `${io.styleOut("cyan", "›")} ${io.styleOut("bold", printable(entry.text.trimEnd()).replaceAll("\n", "\n  "))}`;
      case "assistant":
        return printable(entry.text.trimEnd());
      case "tool": {
        const ending = endingOfText(entry.ok, entry.outcome);
        const call = { name: entry.tool, declaration: toolOf(entry.tool), args: entry.args };
        return io.styleOut(
          entry.ok ? "dim" : "yellow",
          endedLines(call, io.columns - 1, 0, { ending, durationMs: entry.durationMs }).join("\n"),
        );
      }
      case "note":
        return io.styleOut("dim", printable(entry.text));
    }
  }
}

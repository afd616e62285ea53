import type { AgentEvent, Fact } from "../../../contract/conversation/fact.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { SettledOutcome } from "../../../contract/tools/outcome.ts";
import type { Display } from "../../shared/display/display.ts";
import { detailsOf } from "./call-details.ts";
import { endingOf } from "../../shared/display/call-ending.ts";
import type { Io } from "../../shared/process/io.ts";
import { printable } from "../../shared/display/printable.ts";
import { thoughtLines } from "./thought-lines.ts";
import { endedSubagentLine, subagentLine } from "./subagent-line.ts";
import { endedLines, toolLine, type ShownCall } from "./tool-line.ts";

/**
 * Prints a turn to a plain terminal or a pipe: streams the answer to stdout, and tool lines and waits to stderr.
 * On a terminal it also shows the running call in a line that the result replaces.
 * @returns A listener, and `end` which closes the last line.
 */
export function eventPrinter(
  io: Io,
  toolOf: (name: string) => ToolDeclaration | undefined,
  options: { readonly quiet: boolean; display(): Display },
): { readonly listener: (event: AgentEvent) => void; end(): void } {
  const calls = new Map<string, ShownCall>();
  const readable = io.outIsTerminal ? printable : (text: string): string => text;
  const subagents = new Map<string, string>();
  let streamed = "";
  let openLine = false;
  let passing = false;
  let thoughts = "";
  let lastTool: string | undefined;
  /** Ended calls, printed later so that they do not delay the model's next request. */
  const ended: Extract<Fact, { type: "tool.settled" }>[] = [];

  const erase = (): void => {
    if (passing) io.takeBack();
    passing = false;
  };
  /** A temporary line; the next output replaces it. */
  const pass = (text: string): void => {
    if (options.quiet || openLine || !io.moving) return;
    erase();
    io.note(io.style("dim", text));
    passing = true;
  };
  const print = (text: string): void => {
    if (text === "") return;
    erase();
    io.out(readable(text));
    openLine = !text.endsWith("\n");
  };
  const note = (text: string, style: "dim" | "yellow" = "dim"): void => {
    if (options.quiet) return;
    erase();
    // If stdout is a pipe or file, its line can stay open: the note goes to stderr.
    if (io.outIsTerminal) {
      if (openLine) io.out("\n");
      openLine = false;
    }
    io.note(`${io.style(style, printable(text))}\n`);
  };
  /** Prints complete thoughts, only on a terminal. */
  const thought = (): void => {
    const lines = thoughtLines(thoughts, options.display().reasoning);
    thoughts = "";
    if (io.moving) for (const line of lines) note(`  ${line}`);
  };
  const details = (call: ShownCall, outcome: SettledOutcome): void => {
    if (options.quiet) return;
    for (const { kind, text } of detailsOf(call, outcome, options.display()))
      io.note(`  ${io.style(kind === "added" ? "green" : kind === "removed" ? "red" : "dim", text)}\n`);
  };
  const onFact = (fact: Fact): void => {
    switch (fact.type) {
      case "model.asked":
        return pass("thinking…");
      case "model.answered": {
        const words = textOf(fact.parts);
        thought();
        if (!options.quiet)
          print(
            words.startsWith(streamed) ? words.slice(streamed.length) : streamed.startsWith(words) ? "" : `\n${words}`,
          );
        streamed = "";
        // An answer that the output limit cut continues at that point, maybe within a word.
        if (openLine && !isPiece(fact)) print("\n");
        return erase();
      }
      case "model.failed":
        // The wait before the next try, or the end of the turn, shows the reason.
        streamed = "";
        thoughts = "";
        // A repeated answer starts on a new line.
        if (openLine) print("\n");
        return erase();
      case "tool.called":
        return void calls.set(fact.callId, { name: fact.tool, declaration: toolOf(fact.tool), args: fact.args });
      case "context.compacted":
        return note("The conversation was long, so a summary now replaces its beginning.");
      case "turn.ended":
        return options.display().bell && io.moving ? io.ring() : undefined;
      case "approval.asked":
        return erase();
      case "tool.started": {
        const call = calls.get(fact.callId);
        return call === undefined || call.declaration?.interactive === true
          ? undefined
          : pass(`${toolLine(call, io.columns - 3, options.display().previewLength)} …`);
      }
      case "subagent.started":
        return void subagents.set(fact.sessionId, fact.goal);
      case "subagent.ended": {
        const goal = subagents.get(fact.sessionId) ?? "";
        subagents.delete(fact.sessionId);
        return options.display().toolProgress === "off"
          ? erase()
          : note(`  ${endedSubagentLine(goal, fact, io.columns - 3)}`, fact.reason === "done" ? "dim" : "yellow");
      }
      default:
    }
  };
  const drawEnded = (): void => {
    for (const fact of ended.splice(0)) {
      const call = calls.get(fact.callId);
      calls.delete(fact.callId);
      if (call === undefined) continue;
      const ending = endingOf(fact.outcome);
      const { toolProgress, previewLength } = options.display();
      const shown =
        toolProgress === "all" || toolProgress === "verbose" || (toolProgress === "new" && lastTool !== call.name);
      lastTool = call.name;
      if (!shown) erase();
      else {
        note(
          endedLines(call, io.columns - 1, previewLength, { ending, durationMs: fact.durationMs }).join("\n"),
          ending.kind === "ok" ? "dim" : "yellow",
        );
        details(call, fact.outcome);
      }
    }
  };
  return {
    listener: (event) => {
      if (event.kind === "fact" && event.recorded.fact.type === "tool.settled") {
        if (ended.push(event.recorded.fact) === 1) setImmediate(drawEnded);
        return;
      }
      drawEnded();
      if (event.kind === "fact") return onFact(event.recorded.fact);
      if (event.live.type === "text.delta" && !options.quiet) {
        if (thoughts !== "") thought();
        if (!options.display().streaming) return;
        streamed += event.live.text;
        print(event.live.text);
      } else if (event.live.type === "thinking.delta") thoughts += event.live.text;
      else if (event.live.type === "subagent.progress")
        pass(`  ${subagentLine("↳", subagents.get(event.live.sessionId) ?? "", event.live.text, io.columns - 6)} …`);
      else if (event.live.type === "model.waiting") note(`… ${event.live.text}`);
    },
    end: () => {
      drawEnded();
      erase();
      if (openLine) print("\n");
    },
  };
}

/** The beginning of an answer that the next one continues. */
function isPiece({ finish, parts }: Extract<Fact, { type: "model.answered" }>): boolean {
  return finish === "length" && parts.every(({ type }) => type !== "tool-call");
}

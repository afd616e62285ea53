import type { AgentEvent, Fact, Live } from "../../../contract/conversation/fact.ts";
import { COMPACTION_NOTE } from "../../../contract/conversation/turn-notes.ts";
import { goalNote } from "../../../contract/conversation/goal-state.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import { shownOf, type SettledOutcome } from "../../../contract/tools/outcome.ts";
import type { Display } from "../../shared/display/display.ts";
import { detailsOf, type CallDetails } from "./call-details.ts";
import { endingOf } from "../../shared/display/call-ending.ts";
import type { Io } from "../../shared/process/io.ts";
import type { AnswerDrawer } from "./drawn-answer.ts";
import { PlainOutput } from "./plain-output.ts";
import { thoughtLines } from "./thought-lines.ts";
import { endedSubagentLine, subagentLine } from "./subagent-line.ts";
import { endedLines, toolLine, type ShownCall } from "./tool-line.ts";

type ToolOf = (name: string) => ToolDeclaration | undefined;

interface PrinterOptions {
  readonly quiet: boolean;
  display(): Display;
  /** Loads what draws answers as Markdown; absent where they are printed as they are written. */
  drawer?(): Promise<AnswerDrawer>;
}

/** The request of the model is on its way by then. */
const LOAD_AFTER_MS = 30;

/**
 * Prints a turn to a plain terminal or a pipe: streams the answer to stdout, and tool lines and waits to stderr.
 * On a terminal it also shows the running call in a line that the result replaces.
 * @returns A listener; `ready`, which resolves when all events so far are printed; and `end`, which closes the last line.
 */
export function eventPrinter(
  io: Io,
  toolOf: ToolOf,
  options: PrinterOptions,
): { readonly listener: (event: AgentEvent) => void; ready(): Promise<void>; end(): Promise<void> } {
  const printer = new EventPrinter(io, toolOf, options);
  return {
    listener: (event) => printer.onEvent(event),
    ready: () => printer.ready(),
    end: () => printer.end(),
  };
}

class EventPrinter {
  readonly #io: Io;
  readonly #output: PlainOutput;
  readonly #toolOf: ToolOf;
  readonly #options: PrinterOptions;
  readonly #calls = new Map<string, ShownCall>();
  /** The goals of running subagents, by session. */
  readonly #subagents = new Map<string, string>();
  /** Ended calls, printed later so that they do not delay the model's next request. */
  readonly #ended: Extract<Fact, { type: "tool.settled" }>[] = [];
  #streamed = "";
  #drawer: AnswerDrawer | undefined;
  #loading: Promise<void> | undefined;
  /** Events that wait for the drawer. */
  #queue: AgentEvent[] | undefined;
  /** The beginning of an answer that the output limit cut. */
  #cut = "";
  #thoughts = "";
  #lastTool: string | undefined;

  constructor(io: Io, toolOf: ToolOf, options: PrinterOptions) {
    this.#io = io;
    this.#output = new PlainOutput(io, options.quiet);
    this.#toolOf = toolOf;
    this.#options = options;
  }

  onEvent(event: AgentEvent): void {
    if (this.#queue !== undefined) return void this.#queue.push(event);
    if (this.#options.drawer !== undefined && !this.#options.quiet && this.#drawer === undefined) {
      if (event.kind === "fact" && event.recorded.fact.type === "model.asked")
        setTimeout(() => void this.#load(), LOAD_AFTER_MS).unref();
      if (isText(event)) {
        this.#queue = [event];
        return void this.#load();
      }
    }
    if (event.kind === "fact" && endsAnswer(event.recorded.fact)) {
      this.#drawer?.leave();
      this.#cut = "";
    }
    if (event.kind === "fact" && event.recorded.fact.type === "tool.settled") {
      if (this.#ended.push(event.recorded.fact) === 1) setImmediate(() => this.#printEnded());
      return;
    }
    this.#printEnded();
    if (event.kind === "fact") this.#onFact(event.recorded.fact);
    else this.#onLive(event.live);
  }

  async ready(): Promise<void> {
    if (this.#queue !== undefined) await this.#load();
  }

  async end(): Promise<void> {
    await this.ready();
    this.#printEnded();
    await this.#drawer?.end();
    this.#output.erase();
    this.#output.endLine();
  }

  /** Loads the drawer once, then takes the events that waited for it. */
  #load(): Promise<void> {
    this.#loading ??= (async () => {
      this.#drawer = await this.#options.drawer?.();
      const waiting = this.#queue ?? [];
      this.#queue = undefined;
      for (const event of waiting) this.onEvent(event);
    })();
    return this.#loading;
  }

  #onLive(live: Live): void {
    switch (live.type) {
      case "text.delta":
        if (this.#options.quiet) return;
        if (this.#thoughts !== "") this.#printThoughts();
        if (!this.#options.display().streaming) return;
        this.#streamed += live.text;
        if (this.#drawer === undefined) return this.#output.write(live.text);
        this.#output.erase();
        return this.#drawer.add(live.text);
      case "thinking.delta":
        this.#thoughts += live.text;
        return;
      case "subagent.progress": {
        if (live.text === "") return;
        const goal = this.#subagents.get(live.nested?.parentId ?? live.sessionId) ?? "";
        return this.#output.showTemporary(`  ${subagentLine("↳", goal, live.text, this.#io.columns - 6)} …`);
      }
      case "model.waiting":
        return this.#output.note(`… ${live.text}`);
      default:
    }
  }

  #onFact(fact: Fact): void {
    switch (fact.type) {
      case "model.asked":
        return this.#output.showTemporary("thinking…");
      case "model.answered":
        return this.#onAnswer(fact);
      case "model.failed":
        // The wait before the next try, or the end of the turn, shows the reason.
        this.#streamed = "";
        this.#thoughts = "";
        // A repeated answer starts on a new line.
        this.#output.endLine();
        return this.#output.erase();
      case "tool.called":
        return void this.#calls.set(fact.callId, {
          name: fact.tool,
          declaration: this.#toolOf(fact.tool),
          args: fact.args,
        });
      case "state.set": {
        const note = goalNote(fact);
        return note === undefined ? undefined : this.#output.note(note);
      }
      case "context.compacted":
        return this.#output.note(COMPACTION_NOTE);
      case "turn.ended":
        return this.#options.display().bell && this.#io.moving ? this.#io.ring() : undefined;
      case "approval.asked":
        return this.#output.erase();
      case "tool.started": {
        const call = this.#calls.get(fact.callId);
        if (call === undefined || call.declaration?.interactive === true) return;
        const { previewLength } = this.#options.display();
        return this.#output.showTemporary(`${toolLine(call, this.#io.columns - 3, previewLength)} …`);
      }
      case "subagent.started":
        return void this.#subagents.set(fact.sessionId, fact.goal);
      case "subagent.ended":
        return this.#onSubagentEnd(fact);
      default:
    }
  }

  #onAnswer(fact: Extract<Fact, { type: "model.answered" }>): void {
    const text = textOf(fact.parts);
    this.#printThoughts();
    const streamed = this.#streamed;
    this.#streamed = "";
    if (this.#drawer !== undefined) return this.#drawAnswer(text, this.#drawer, isPiece(fact));
    if (!this.#options.quiet) this.#output.write(restOf(text, streamed));
    // An answer that the output limit cut continues at that point, maybe within a word.
    if (!isPiece(fact)) this.#output.endLine();
    this.#output.erase();
  }

  /** An answer that the output limit cut is drawn again with what follows. */
  #drawAnswer(text: string, drawer: AnswerDrawer, cut: boolean): void {
    this.#output.erase();
    const whole = this.#cut + text;
    drawer.settle(whole);
    this.#cut = cut ? whole : "";
  }

  #onSubagentEnd(fact: Extract<Fact, { type: "subagent.ended" }>): void {
    const goal = this.#subagents.get(fact.sessionId) ?? "";
    this.#subagents.delete(fact.sessionId);
    if (this.#options.display().toolProgress === "off") this.#output.erase();
    else
      this.#output.note(
        `  ${endedSubagentLine(goal, fact, this.#io.columns - 3)}`,
        fact.reason === "done" ? "dim" : "yellow",
      );
  }

  /** Prints complete thoughts, only on a terminal. */
  #printThoughts(): void {
    const lines = thoughtLines(this.#thoughts, this.#options.display().reasoning);
    this.#thoughts = "";
    if (this.#io.moving) for (const line of lines) this.#output.note(`  ${line}`);
  }

  #printEnded(): void {
    for (const fact of this.#ended.splice(0)) {
      const call = this.#calls.get(fact.callId);
      this.#calls.delete(fact.callId);
      if (call === undefined) continue;
      const ending = endingOf(fact.outcome);
      const { toolProgress, previewLength } = this.#options.display();
      const shown =
        toolProgress === "all" ||
        toolProgress === "verbose" ||
        (toolProgress === "new" && this.#lastTool !== call.name);
      this.#lastTool = call.name;
      if (!shown) this.#output.erase();
      else {
        const ended = { ending, durationMs: fact.durationMs };
        const { summary, lines } = this.#details(call, fact.outcome);
        const title = endedLines(call, this.#io.columns - 1, previewLength, ended, summary);
        this.#output.note(title.join("\n"), ending.kind === "ok" ? "dim" : "yellow");
        for (const { kind, text } of lines)
          this.#io.note(`  ${this.#io.style(kind === "added" ? "green" : kind === "removed" ? "red" : "dim", text)}\n`);
      }
    }
  }

  /** In a pipe only what changed: a program that reads it wants no half of an output. */
  #details(call: ShownCall, outcome: SettledOutcome): CallDetails {
    const result = outcome.kind === "ok" && !this.#options.quiet ? textOf(shownOf(outcome)) : undefined;
    const display = this.#options.display();
    const details = detailsOf(call, result, display);
    const shown = this.#io.moving || display.toolProgress === "verbose" || details.isDiff === true;
    return shown ? details : { ...details, lines: [] };
  }
}

function isText(event: AgentEvent): boolean {
  if (event.kind === "live") return event.live.type === "text.delta";
  const { fact } = event.recorded;
  return fact.type === "model.answered" && textOf(fact.parts) !== "";
}

/** What follows is printed below the answer. */
function endsAnswer({ type, ...fact }: Fact): boolean {
  if (type === "message.added") return "origin" in fact && fact.origin !== "system";
  return type === "model.failed" || type === "tool.called" || type === "context.compacted";
}

/** The part of the answer that was not streamed. An answer that differs from the streamed text starts on a new line. */
function restOf(answer: string, streamed: string): string {
  if (answer.startsWith(streamed)) return answer.slice(streamed.length);
  return streamed.startsWith(answer) ? "" : `\n${answer}`;
}

/** The beginning of an answer that the next one continues. */
function isPiece({ finish, parts }: Extract<Fact, { type: "model.answered" }>): boolean {
  return finish === "length" && parts.every(({ type }) => type !== "tool-call");
}

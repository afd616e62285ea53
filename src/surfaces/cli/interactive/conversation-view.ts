import { Container, Markdown, Spacer, Text, type Component } from "@earendil-works/pi-tui";
import type { AgentEvent, Fact, Live, Origin } from "../../../contract/fact.ts";
import { textOf } from "../../../contract/part.ts";
import type { SessionView, ViewEntry } from "../../../contract/session.ts";
import type { ToolDeclaration } from "../../../contract/tool.ts";
import { endingOf, endingOfText } from "../call-ending.ts";
import { printable } from "../printable.ts";
import { CallLine } from "./call-line.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import type { Theme } from "./theme.ts";
import type { Ticker } from "./ticker.ts";
import { WaitingLine } from "./waiting-line.ts";

/** Draws a conversation: what was said as Markdown, one line for each call, a turning sign while something is awaited. */
export class ConversationView extends Container {
  readonly #theme: Theme;
  readonly #ticker: Ticker;
  readonly #toolOf: (name: string) => ToolDeclaration | undefined;
  readonly #said = new Container();
  readonly #waiting: WaitingLine;
  readonly #calls = new Map<string, CallLine>();
  #answer: StreamedAnswer | undefined;
  #lastWasCall = false;

  constructor(theme: Theme, ticker: Ticker, toolOf: (name: string) => ToolDeclaration | undefined) {
    super();
    this.#theme = theme;
    this.#ticker = ticker;
    this.#toolOf = toolOf;
    this.#waiting = new WaitingLine(theme, ticker);
    this.addChild(this.#said);
    this.addChild(this.#waiting);
  }

  /** What was said before this screen opened. */
  replay(view: SessionView): void {
    for (const entry of view.entries) this.#past(entry);
  }

  onEvent(event: AgentEvent): void {
    if (event.kind === "fact") this.#onFact(event.recorded.fact);
    else this.#onLive(event.live);
  }

  /** A line of the program itself: a notice, what a command prints. */
  note(text: string, style: (text: string) => string = this.#theme.dim): void {
    this.#apart(new Text(printable(text).split("\n").map(style).join("\n"), 1, 0));
  }

  reset(): void {
    this.#waiting.hide();
    this.#said.clear();
    this.#calls.clear();
    this.#answer = undefined;
    this.#lastWasCall = false;
  }

  #past(entry: ViewEntry): void {
    if (entry.kind === "user") this.#user(entry.text, entry.origin);
    else if (entry.kind === "assistant") this.#markdown(entry.text);
    else if (entry.kind === "note") this.note(entry.text);
    else this.#addCall(entry.callId, entry.tool, entry.args).end(endingOfText(entry.ok, entry.outcome), entry.durationMs);
  }

  #onLive(live: Live): void {
    if (live.type === "text.delta") this.#stream(live.text);
    else if (live.type === "thinking.delta") this.#waiting.show("thinking…");
    else if (live.type === "call.delta") this.#waiting.show(`preparing ${live.tool}…`);
    else if (live.type === "model.waiting") this.#delay(live);
    else this.#calls.get(live.callId)?.progress(live.text);
  }

  #onFact(fact: Fact): void {
    switch (fact.type) {
      case "message.added":
        return this.#user(textOf(fact.parts), fact.origin);
      case "model.asked":
        this.#drop();
        return this.#waiting.show("thinking…");
      case "model.answered":
        return this.#settle(textOf(fact.parts));
      case "model.failed":
        // Why is told by the wait before the next try, or by the end of the turn. What was written meanwhile stays until then.
        return this.#waiting.hide();
      case "tool.called":
        this.#waiting.hide();
        return void this.#addCall(fact.callId, fact.tool, fact.args);
      case "approval.asked":
        return this.#calls.get(fact.callId)?.ask();
      case "tool.started":
        return this.#calls.get(fact.callId)?.run();
      case "tool.settled":
        this.#calls.get(fact.callId)?.end(endingOf(fact.outcome), fact.durationMs);
        return void this.#calls.delete(fact.callId);
      case "turn.ended":
        this.#waiting.hide();
        this.#answer = undefined;
        if (fact.reason !== "done") this.note(fact.reason === "cancelled" ? `■ ${fact.detail || "stopped"}` : `${fact.reason === "failed" ? "✗" : "■"} ${fact.detail ?? fact.reason}`, fact.reason === "failed" ? this.#theme.bad : this.#theme.warn);
        return;
      default:
    }
  }

  #stream(text: string): void {
    this.#waiting.hide();
    if (this.#answer === undefined) {
      if (text.trim() === "") return;
      this.#answer = new StreamedAnswer(this.#theme);
      this.#apart(this.#answer);
    }
    this.#answer.add(text);
  }

  #settle(text: string): void {
    this.#waiting.hide();
    if (text.trim() === "") this.#drop();
    else if (this.#answer === undefined) this.#markdown(text);
    else this.#answer.settle(text);
    this.#answer = undefined;
  }

  /** Another model that takes over is worth remembering; another try of the same one is not. */
  #delay({ text, untilAt }: Extract<Live, { type: "model.waiting" }>): void {
    if (untilAt > Date.now()) this.#waiting.show(text);
    else this.note(text, this.#theme.warn);
  }

  /** A try that failed is not part of the conversation once the next one begins. */
  #drop(): void {
    if (this.#answer !== undefined) this.#said.removeChild(this.#answer);
    this.#answer = undefined;
  }

  #markdown(text: string): void {
    if (text.trim() !== "") this.#apart(new Markdown(printable(text), 1, 0, this.#theme.markdown));
  }

  #user(text: string, origin: Origin): void {
    const { accent, strong, dim } = this.#theme;
    const person = origin === "person";
    this.#apart(new Text(printable(text).split("\n").map((line, index) => `${index === 0 ? accent(person ? "›" : "◇") : " "} ${(person ? strong : dim)(line)}`).join("\n"), 1, 0));
  }

  #addCall(callId: string, name: string, args: Extract<ViewEntry, { kind: "tool" }>["args"]): CallLine {
    const before = this.#calls.get(callId); // Run again after an interruption: still the same call.
    if (before !== undefined) return before;
    const line = new CallLine({ name, declaration: this.#toolOf(name), args }, this.#theme, this.#ticker);
    this.#calls.set(callId, line);
    if (!this.#lastWasCall) this.#said.addChild(new Spacer(1));
    this.#lastWasCall = true;
    this.#said.addChild(line);
    return line;
  }

  /** With an empty line before it. */
  #apart(child: Component): void {
    this.#lastWasCall = false;
    this.#said.addChild(new Spacer(1));
    this.#said.addChild(child);
  }
}

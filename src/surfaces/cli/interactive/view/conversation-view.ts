import { Container, Spacer, Text, type Component } from "@earendil-works/pi-tui";
import type { AgentEvent, Fact, Live, Origin } from "../../../../contract/conversation/fact.ts";
import { shownOf, type SettledOutcome } from "../../../../contract/tools/outcome.ts";
import { textOf, type ImagePart } from "../../../../contract/conversation/part.ts";
import type { SessionView, ViewEntry } from "../../../../contract/conversation/session.ts";
import { COMPACTION_NOTE, turnEndNote } from "../../../../contract/conversation/turn-notes.ts";
import type { ToolDeclaration } from "../../../../contract/tools/tool.ts";
import type { Display } from "../../../shared/display/display.ts";
import { endingOf, endingOfText } from "../../../shared/display/call-ending.ts";
import { printable } from "../../../shared/display/printable.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { ShownCall } from "../../output/tool-line.ts";
import { CallCard, expandMore } from "./call-card.ts";
import { MarkdownView } from "../../markdown/markdown-view.ts";
import type { Theme } from "./theme.ts";
import { Thoughts } from "./thoughts.ts";
import { imagesOf } from "./thumbnails.ts";
import { UserMessage } from "./user-message.ts";
import type { Ticker } from "./ticker.ts";
import { WaitingLine } from "../prompt/queued-line.ts";

/** Draws a conversation: messages as Markdown, one line for each call, and a spinner while it waits. */
export class ConversationView extends Container {
  readonly #theme: Theme;
  readonly #ticker: Ticker;
  readonly #toolOf: (name: string) => ToolDeclaration | undefined;
  readonly #display: () => Display;
  readonly #body = new Container();
  readonly #waiting: WaitingLine;
  readonly #calls = new Map<string, { readonly call: ShownCall; readonly card: CallCard; readonly hidden: boolean }>();
  #answer: MarkdownView | undefined;
  /** The text of an answer that the output limit cut. The next answer continues it. */
  #cut = "";
  #thoughts: Thoughts | undefined;
  #lastTool: string | undefined;
  #lastWasCall = false;
  #expanded = false;

  constructor(
    theme: Theme,
    ticker: Ticker,
    toolOf: (name: string) => ToolDeclaration | undefined,
    display: () => Display,
  ) {
    super();
    this.#theme = theme;
    this.#ticker = ticker;
    this.#toolOf = toolOf;
    this.#display = display;
    this.#waiting = new WaitingLine(theme, ticker);
    for (const child of [this.#body, this.#waiting]) this.addChild(child);
  }

  /** Shows more of what the calls did, or less again. */
  expandMore(): void {
    this.#expanded = expandMore(this.#cards(), this.#expanded);
  }

  /** The cards of calls that have ended and have something to read, oldest first. */
  readable(): readonly CallCard[] {
    return this.#cards().filter((card) => card.readable);
  }

  /** Shows the earlier conversation, as much as the settings ask for. */
  replay({ entries, turns }: SessionView): void {
    if (entries.length === 0) return;
    const { resume, resumeExchanges } = this.#display();
    const asked = entries.flatMap((entry, at) => (entry.kind === "user" ? [at] : []));
    const earlier = resume === "minimal" ? asked.length : Math.max(0, asked.length - resumeExchanges);
    if (earlier > 0)
      this.note(
        resume === "minimal"
          ? `Resumed after ${turns} turns; /history shows them.`
          : `… ${earlier} earlier ${earlier === 1 ? "exchange" : "exchanges"}; /history shows all.`,
      );
    if (resume === "full")
      for (const entry of entries.slice(earlier === 0 ? 0 : (asked[earlier] ?? entries.length))) this.#past(entry);
  }

  onEvent(event: AgentEvent): void {
    if (event.kind === "fact") this.#onFact(event.recorded.fact, event.recorded.at);
    else this.#onLive(event.live);
  }

  /** Shows a line of the program: a notice, or a command's output. */
  note(text: string, style: (text: string) => string = this.#theme.dim): void {
    this.#apart(new Text(printable(text).split("\n").map(style).join("\n"), 1, 0));
  }

  reset(): void {
    this.#waiting.hide();
    this.#body.clear();
    this.#calls.clear();
    this.#answer = undefined;
    this.#cut = "";
    this.#thoughts = undefined;
    this.#lastTool = undefined;
    this.#lastWasCall = false;
  }

  #past(entry: ViewEntry): void {
    if (entry.kind === "user") this.#user(entry.text, entry.origin, entry.at, entry.images);
    else if (entry.kind === "note") this.#note(entry);
    else if (entry.kind === "tool") this.#pastCall(entry);
    else {
      if (entry.thinking !== "") this.#think(entry.thinking);
      this.#thoughts = undefined;
      this.#waiting.hide();
      this.#markdown(entry.text, entry.at);
    }
  }

  #note(note: Pick<Extract<ViewEntry, { kind: "note" }>, "text" | "role"> | undefined): void {
    if (note === undefined || note.role === "hidden") return;
    if (note.role === undefined) this.note(note.text);
    else this.note(asTyped(note.text), note.role === "failed" ? this.#theme.bad : this.#theme.warn);
  }

  #pastCall(entry: Extract<ViewEntry, { kind: "tool" }>): void {
    const { card } = this.#addCall(entry.callId, entry.tool, entry.args);
    this.#calls.delete(entry.callId);
    for (const [at, subagent] of (entry.subagents ?? []).entries()) card.subagent(String(at), subagent);
    card.end(
      entry.failure === undefined ? endingOfText(entry.ok, entry.outcome) : endingOf(entry.failure),
      entry.durationMs,
      entry.ok ? entry.outcome : undefined,
      entry.images,
    );
  }

  #onLive(live: Live): void {
    if (live.type === "text.delta") this.#stream(live.text);
    else if (live.type === "thinking.delta") this.#think(live.text);
    else if (live.type === "call.delta") this.#waiting.show(`preparing ${live.tool}…`);
    else if (live.type === "model.waiting") this.#delay(live);
    else if (live.type === "subagent.progress")
      this.#calls.get(live.callId)?.card.subagent(live.sessionId, { doing: live.text, ...live.nested });
    else this.#calls.get(live.callId)?.card.progress(live.text);
  }

  #onFact(fact: Fact, at: number): void {
    switch (fact.type) {
      case "message.added":
        // Do not show the engine's messages to the model. If one stops the turn, the end of the turn says so.
        if (fact.origin === "system") return;
        this.#answer = undefined;
        this.#cut = "";
        return this.#user(textOf(fact.parts), fact.origin, at, imagesOf(fact.parts));
      case "model.asked":
        this.#drop();
        return this.#waiting.show("thinking…");
      case "model.answered":
        return this.#settle(textOf(fact.parts), at, fact.finish === "length");
      case "model.failed":
        // The wait before the next try, or the end of the turn, shows the reason. The partial answer stays until then.
        return this.#waiting.hide();
      case "tool.called":
        this.#waiting.hide();
        return void this.#addCall(fact.callId, fact.tool, fact.args);
      case "approval.asked":
        return this.#calls.get(fact.callId)?.card.ask();
      case "tool.started":
        return this.#started(fact.callId);
      case "subagent.started":
        return this.#calls.get(fact.callId)?.card.subagent(fact.sessionId, { goal: fact.goal });
      case "subagent.ended":
        return this.#calls.get(fact.callId)?.card.subagent(fact.sessionId, { ended: fact });
      case "tool.settled":
        return this.#settled(fact.callId, fact.outcome, fact.durationMs);
      case "context.compacted":
        this.#waiting.hide();
        return this.note(COMPACTION_NOTE);
      case "turn.ended":
        this.#waiting.hide();
        this.#answer = undefined;
        this.#cut = "";
        return this.#note(turnEndNote(fact));
      default:
    }
  }

  #started(callId: string): void {
    const shown = this.#calls.get(callId);
    shown?.card.run();
    if (shown?.hidden === true && shown.call.declaration?.interactive !== true) this.#waiting.show("working…");
  }

  #settled(callId: string, outcome: SettledOutcome, durationMs: number): void {
    const shown = this.#calls.get(callId);
    this.#calls.delete(callId);
    if (shown === undefined) return;
    const parts = shownOf(outcome);
    const result = outcome.kind === "ok" ? textOf(parts) : undefined;
    shown.card.end(endingOf(outcome), durationMs, result, imagesOf(parts));
    if (shown.hidden) this.#waiting.hide();
  }

  #think(text: string): void {
    this.#waiting.show("thinking…");
    if (this.#display().reasoning === "hidden") return;
    if (this.#thoughts === undefined) {
      this.#thoughts = new Thoughts(this.#theme, this.#display);
      this.#lastWasCall = false;
      this.#body.addChild(this.#thoughts);
    }
    this.#thoughts.add(text);
  }

  #stream(text: string): void {
    if (!this.#display().streaming) return this.#waiting.show("writing…");
    this.#waiting.hide();
    if (this.#answer === undefined) {
      if (text.trim() === "") return;
      this.#answer = new MarkdownView(this.#theme.markdown);
      this.#apart(this.#answer);
    }
    this.#answer.add(text);
  }

  /** @param cut The output limit cut the answer. */
  #settle(text: string, at: number, cut: boolean): void {
    this.#waiting.hide();
    this.#thoughts = undefined;
    const whole = this.#cut + text;
    if (whole.trim() === "") return this.#drop();
    if (this.#answer === undefined) this.#apart((this.#answer = new MarkdownView(this.#theme.markdown)));
    this.#answer.settle(whole);
    if (cut) {
      this.#cut = whole;
      return;
    }
    this.#stamp(at);
    this.#answer = undefined;
    this.#cut = "";
  }

  /** A wait is temporary, but a switch to another model stays in the conversation. */
  #delay({ text, untilAt }: Extract<Live, { type: "model.waiting" }>): void {
    if (untilAt > Date.now()) this.#waiting.show(text);
    else this.note(text, this.#theme.warn);
  }

  /** Removes the output of a failed try when the next one begins. */
  #drop(): void {
    if (this.#thoughts !== undefined) this.#body.removeChild(this.#thoughts);
    this.#thoughts = undefined;
    if (this.#cut !== "") return this.#answer?.settle(this.#cut);
    if (this.#answer !== undefined) this.#body.removeChild(this.#answer);
    this.#answer = undefined;
  }

  #markdown(text: string, at: number): void {
    if (text.trim() === "") return;
    this.#apart(new MarkdownView(this.#theme.markdown, text));
    this.#stamp(at);
  }

  /** Adds the time below a message, so that lines above it do not move. */
  #stamp(at: number): void {
    const display = this.#display();
    if (display.timestamps) this.#body.addChild(new Text(this.#theme.dim(display.time(at)), 1, 0));
  }

  #user(text: string, origin: Origin, at: number, images: readonly ImagePart[] = []): void {
    this.#apart(new UserMessage(text, origin, images, this.#theme));
    this.#stamp(at);
  }

  #cards(): readonly CallCard[] {
    return this.#body.children.filter((child) => child instanceof CallCard);
  }

  #addCall(
    callId: string,
    name: string,
    args: Extract<ViewEntry, { kind: "tool" }>["args"],
  ): { readonly card: CallCard } {
    const before = this.#calls.get(callId); // A call that runs again after an interruption keeps its line.
    if (before !== undefined) return before;
    const { toolProgress, compact } = this.#display();
    const call = { name, declaration: this.#toolOf(name), args };
    const hidden = toolProgress === "off" || (toolProgress === "new" && this.#lastTool === name);
    const added = { call, card: new CallCard(call, this.#theme, this.#ticker, this.#display), hidden };
    added.card.expanded = this.#expanded;
    this.#calls.set(callId, added);
    this.#lastTool = name;
    if (hidden) return added;
    if (!this.#lastWasCall && !compact) this.#body.addChild(new Spacer(1));
    this.#lastWasCall = true;
    this.#body.addChild(added.card);
    return added;
  }

  /** Adds a child with an empty line before it. */
  #apart(child: Component): void {
    this.#lastWasCall = false;
    if (!this.#display().compact) this.#body.addChild(new Spacer(1));
    this.#body.addChild(child);
  }
}

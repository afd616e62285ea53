import { Container, Loader, Markdown, Spacer, Text, type TUI } from "@earendil-works/pi-tui";
import type { AgentEvent, Fact } from "../../../contract/fact.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { shownOf } from "../../../contract/outcome.ts";
import { textOf } from "../../../contract/part.ts";
import type { SessionView } from "../../../contract/session.ts";
import type { ToolDeclaration } from "../../../contract/tool.ts";
import { toolLine } from "../tool-line.ts";
import type { Theme } from "./theme.ts";

/** Draws a conversation: what was said as Markdown, one line for each call, a spinner while something is awaited. */
export class ConversationView {
  readonly component = new Container();
  readonly #tui: TUI;
  readonly #theme: Theme;
  readonly #toolOf: (name: string) => ToolDeclaration | undefined;
  readonly #calls = new Map<string, { readonly tool: string; readonly args: JsonObject | undefined; readonly line: Text }>();
  #answer: Markdown | undefined;
  #streamed = "";
  #waiting: Loader | undefined;

  constructor(tui: TUI, theme: Theme, toolOf: (name: string) => ToolDeclaration | undefined) {
    this.#tui = tui;
    this.#theme = theme;
    this.#toolOf = toolOf;
  }

  /** What was said before this screen opened. */
  replay(view: SessionView): void {
    for (const entry of view.entries) {
      if (entry.kind === "user") this.#user(entry.text);
      else if (entry.kind === "assistant") this.#markdown(entry.text);
      else if (entry.kind === "tool") this.#line(toolLine({ name: entry.tool, declaration: this.#toolOf(entry.tool), args: entry.args, result: { ok: entry.ok, text: entry.ok ? "" : entry.outcome, durationMs: entry.durationMs } }, this.#columns()));
      else this.note(entry.text);
    }
  }

  show(event: AgentEvent): void {
    if (event.kind === "fact") this.#onFact(event.recorded.fact);
    else if (event.live.type === "text.delta") this.#stream(event.live.text);
    else if (event.live.type === "thinking.delta") this.#wait("thinking…");
    else if (event.live.type === "call.delta") this.#wait(`preparing ${event.live.tool}…`);
    else if (event.live.type === "model.waiting") this.#wait(event.live.text);
    else if (event.live.type === "tool.progress") this.#progress(event.live.callId, event.live.text);
    this.#tui.requestRender();
  }

  note(text: string, style: (text: string) => string = this.#theme.dim): void {
    this.#add(new Text(text.split("\n").map(style).join("\n"), 1, 0));
    this.#tui.requestRender();
  }

  markdown(text: string): void {
    this.#markdown(text);
    this.#tui.requestRender();
  }

  clear(): void {
    this.#stopWaiting();
    this.component.clear();
    this.#calls.clear();
    this.#answer = undefined;
    this.#streamed = "";
    this.#tui.requestRender();
  }

  dispose(): void {
    this.#stopWaiting();
  }

  #onFact(fact: Fact): void {
    switch (fact.type) {
      case "message.added":
        return this.#user(textOf(fact.parts));
      case "model.asked":
        return this.#wait("thinking…");
      case "model.answered":
        this.#stopWaiting();
        this.#finishAnswer(textOf(fact.parts));
        return;
      case "model.failed":
        this.#finishAnswer("");
        return this.note(`⚠ ${fact.failure.message}`, this.#theme.warn);
      case "tool.called": {
        this.#stopWaiting();
        const line = new Text(this.#theme.dim(toolLine({ name: fact.tool, declaration: this.#toolOf(fact.tool), args: fact.args }, this.#columns())), 1, 0);
        this.#calls.set(fact.callId, { tool: fact.tool, args: fact.args, line });
        return this.#add(line);
      }
      case "tool.settled": {
        const call = this.#calls.get(fact.callId);
        this.#calls.delete(fact.callId);
        const ok = fact.outcome.kind === "ok";
        const text = toolLine({ name: call?.tool ?? "", declaration: this.#toolOf(call?.tool ?? ""), args: call?.args, result: { ok, text: ok ? "" : textOf(shownOf(fact.outcome)), durationMs: fact.durationMs } }, this.#columns());
        return call?.line.setText(ok ? this.#theme.dim(text) : this.#theme.warn(text));
      }
      case "turn.ended":
        this.#stopWaiting();
        this.#finishAnswer("");
        if (fact.reason !== "done") this.note(fact.detail ?? fact.reason, fact.reason === "failed" ? this.#theme.bad : this.#theme.warn);
        return;
      default:
    }
  }

  #stream(text: string): void {
    this.#stopWaiting();
    this.#streamed += text;
    if (this.#answer === undefined) this.#answer = this.#markdown(this.#streamed);
    else this.#answer.setText(this.#streamed);
  }

  /** The stored answer replaces what was streamed, so that the screen never says what the store does not. */
  #finishAnswer(text: string): void {
    if (this.#answer !== undefined && text !== "") this.#answer.setText(text);
    else if (this.#answer !== undefined) this.component.removeChild(this.#answer);
    else if (text.trim() !== "") this.#markdown(text);
    this.#answer = undefined;
    this.#streamed = "";
  }

  #markdown(text: string): Markdown {
    const markdown = new Markdown(text, 1, 0, this.#theme.markdown);
    if (text.trim() !== "" || this.#streamed !== "") {
      this.#add(new Spacer(1));
      this.#add(markdown);
    }
    return markdown;
  }

  #user(text: string): void {
    this.#add(new Spacer(1));
    this.#line(`${this.#theme.accent("›")} ${this.#theme.strong(text)}`);
  }

  #line(text: string): void {
    this.#add(new Text(text, 1, 0));
  }

  #add(child: Text | Markdown | Spacer): void {
    const waiting = this.#waiting;
    if (waiting !== undefined) this.component.removeChild(waiting);
    this.component.addChild(child);
    if (waiting !== undefined) this.component.addChild(waiting);
  }

  #progress(callId: string, text: string): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    const last = text.trimEnd().split("\n").at(-1) ?? "";
    call.line.setText(this.#theme.dim(`${toolLine({ name: call.tool, declaration: this.#toolOf(call.tool), args: call.args }, this.#columns())}\n  ${last.slice(0, this.#columns() - 4)}`));
  }

  #wait(text: string): void {
    if (this.#waiting === undefined) {
      this.#waiting = new Loader(this.#tui, this.#theme.accent, this.#theme.dim, text);
      this.component.addChild(this.#waiting);
      this.#waiting.start();
    } else this.#waiting.setMessage(text);
  }

  #stopWaiting(): void {
    if (this.#waiting === undefined) return;
    this.#waiting.stop();
    this.component.removeChild(this.#waiting);
    this.#waiting = undefined;
  }

  #columns(): number {
    return this.#tui.terminal.columns - 2;
  }
}

import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { Display } from "../../display.ts";
import type { CallEnding } from "../call-ending.ts";
import { endedLines, oneLine, toolLine, type ShownCall } from "../tool-line.ts";
import { width as columnsOf } from "../../width.ts";
import type { Theme } from "./theme.ts";
import { elapsed, type Ticker } from "./ticker.ts";

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "asking" }
  | { readonly kind: "running"; readonly since: number; readonly moving: Disposable }
  | { readonly kind: "ended"; readonly ending: CallEnding; readonly durationMs: number };

/** One call: what it is, a turning sign and its time while it runs, how it ended. Below it, the last line it printed. */
export class CallLine implements Component {
  readonly #call: ShownCall;
  readonly #theme: Theme;
  readonly #ticker: Ticker;
  readonly #display: () => Display;
  #state: State = { kind: "waiting" };
  #progress = "";

  constructor(call: ShownCall, theme: Theme, ticker: Ticker, display: () => Display) {
    this.#call = call;
    this.#theme = theme;
    this.#ticker = ticker;
    this.#display = display;
  }

  ask(): void {
    if (this.#state.kind === "waiting") this.#state = { kind: "asking" };
  }

  run(): void {
    if (this.#state.kind === "waiting" || this.#state.kind === "asking") this.#state = { kind: "running", since: performance.now(), moving: this.#ticker.start() };
  }

  progress(text: string): void {
    this.run();
    this.#progress = oneLine(text.trimEnd().split("\n").at(-1) ?? "");
  }

  end(ending: CallEnding, durationMs: number): void {
    if (this.#state.kind === "running") this.#state.moving[Symbol.dispose]();
    this.#state = { kind: "ended", ending, durationMs };
    this.#progress = "";
  }

  render(width: number): string[] {
    const { dim, accent, warn } = this.#theme;
    const state = this.#state;
    const { previewLength } = this.#display();
    const fit = (line: string): string => ` ${truncateToWidth(line, width - 1, "…")}`;
    if (state.kind === "ended") {
      return endedLines(this.#call, width - 2, previewLength, state).map((line) => fit(state.ending.kind === "ok" ? dim(line) : warn(line)));
    }
    if (state.kind === "running") {
      const time = elapsed(state.since);
      const sign = this.#ticker.sign();
      const line = toolLine(this.#call, width - 3 - columnsOf(sign) - (time === "" ? 0 : time.length + 2), previewLength);
      const lines = [fit(`${accent(sign)} ${dim(`${line}${time === "" ? "" : `  ${time}`}`)}`)];
      return this.#progress === "" ? lines : [...lines, fit(dim(`  ${this.#progress}`))];
    }
    return [fit(dim(`${state.kind === "asking" ? "?" : "·"} ${toolLine(this.#call, width - 4, previewLength)}`))];
  }

  invalidate(): void {}
}

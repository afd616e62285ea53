import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { Fact } from "../../../../contract/conversation/fact.ts";
import type { Display } from "../../../shared/display/display.ts";
import type { CallEnding } from "../../../shared/display/call-ending.ts";
import { endedSubagentLine, subagentLine } from "../../output/subagent-line.ts";
import { endedLines, toolLine, type ShownCall } from "../../output/tool-line.ts";
import { oneLine } from "../../../shared/display/printable.ts";
import { width as columnsOf } from "../../../shared/display/width.ts";
import type { Theme } from "./theme.ts";
import { elapsed, type Ticker } from "./ticker.ts";

interface Subagent {
  readonly goal: string;
  readonly doing: string;
  readonly since: number;
  readonly ended?: Pick<Extract<Fact, { type: "subagent.ended" }>, "reason" | "durationMs">;
}

type State =
  | { readonly kind: "waiting" }
  | { readonly kind: "asking" }
  | { readonly kind: "running"; readonly since: number; readonly moving: Disposable }
  | { readonly kind: "ended"; readonly ending: CallEnding; readonly durationMs: number };

/**
 * One call: name, spinner and time while it runs, then its result. Below it one line per subagent, and the last line
 * it printed.
 */
export class CallLine implements Component {
  readonly #call: ShownCall;
  readonly #theme: Theme;
  readonly #ticker: Ticker;
  readonly #display: () => Display;
  #state: State = { kind: "waiting" };
  #progress = "";
  readonly #subagents = new Map<string, Subagent>();

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
    if (this.#state.kind === "waiting" || this.#state.kind === "asking")
      this.#state = { kind: "running", since: performance.now(), moving: this.#ticker.start() };
  }

  progress(text: string): void {
    this.run();
    this.#progress = oneLine(text.trimEnd().split("\n").at(-1) ?? "");
  }

  /** Updates a subagent of the call: started, working or ended. */
  subagent(sessionId: string, news: Partial<Pick<Subagent, "goal" | "doing" | "ended">>): void {
    const before = this.#subagents.get(sessionId) ?? { goal: "", doing: "", since: performance.now() };
    this.#subagents.set(sessionId, { ...before, ...news });
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
      return [
        ...endedLines(this.#call, width - 2, previewLength, state).map((line) =>
          fit(state.ending.kind === "ok" ? dim(line) : warn(line)),
        ),
        ...this.#subagentLines(width).map(fit),
      ];
    }
    if (state.kind === "running") {
      const time = elapsed(state.since);
      const sign = this.#ticker.sign();
      const line = toolLine(
        this.#call,
        width - 3 - columnsOf(sign) - (time === "" ? 0 : time.length + 2),
        previewLength,
      );
      const below = this.#subagentLines(width).map(fit);
      const lines = [fit(`${accent(sign)} ${dim(`${line}${time === "" ? "" : `  ${time}`}`)}`), ...below];
      return this.#progress === "" ? lines : [...lines, fit(dim(`  ${this.#progress}`))];
    }
    return [fit(dim(`${state.kind === "asking" ? "?" : "·"} ${toolLine(this.#call, width - 4, previewLength)}`))];
  }

  #subagentLines(width: number): readonly string[] {
    const { dim, accent, warn } = this.#theme;
    return [...this.#subagents.values()].map(({ goal, doing, since, ended }) => {
      if (ended !== undefined)
        return `  ${(ended.reason === "done" ? dim : warn)(endedSubagentLine(goal, ended, width - 5))}`;
      // The call ended before this subagent, whose end is never reported.
      if (this.#state.kind === "ended") return `  ${dim(subagentLine("↳", goal, "", width - 5))}`;
      return `  ${accent(this.#ticker.sign())} ${dim(subagentLine("", goal, `${elapsed(since)}  ${doing}`, width - 7).trimStart())}`;
    });
  }

  invalidate(): void {}
}

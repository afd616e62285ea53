import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { Fact } from "../../../../contract/conversation/fact.ts";
import type { Display } from "../../../shared/display/display.ts";
import type { CallEnding } from "../../../shared/display/call-ending.ts";
import { endedSubagentLine, subagentLine } from "../../output/subagent-line.ts";
import { detailsOf } from "../../output/call-details.ts";
import { endedLines, toolLine, type ShownCall } from "../../output/tool-line.ts";
import type { PreviewLine } from "../../../shared/display/preview-line.ts";
import { printable } from "../../../shared/display/printable.ts";
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
  | { readonly kind: "ended"; readonly ending: CallEnding; readonly durationMs: number; readonly result?: string };

/** The newest lines of a running call. */
const PROGRESS_LINES = 5;

/**
 * One call: its title, a spinner and the time while it runs, then how it ended. Below it one line per subagent, and
 * what it printed, changed or found.
 */
export class CallCard implements Component {
  readonly #call: ShownCall;
  readonly #theme: Theme;
  readonly #ticker: Ticker;
  readonly #display: () => Display;
  #state: State = { kind: "waiting" };
  #progress: readonly string[] = [];
  /** What is drawn of an ended call, which no longer changes. */
  #drawn: { readonly width: number; readonly expanded: boolean; readonly lines: readonly string[] } | undefined;
  /** Shows the whole result. */
  expanded = false;
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
    this.#progress = printable(text).trimEnd().split("\n").slice(-PROGRESS_LINES);
  }

  /** Updates a subagent of the call: started, working or ended. */
  subagent(sessionId: string, news: Partial<Pick<Subagent, "goal" | "doing" | "ended">>): void {
    const before = this.#subagents.get(sessionId) ?? { goal: "", doing: "", since: performance.now() };
    this.#subagents.set(sessionId, { ...before, ...news });
    this.#drawn = undefined;
  }

  /** @param result The text that the model read, if the call succeeded. */
  end(ending: CallEnding, durationMs: number, result?: string): void {
    if (this.#state.kind === "running") this.#state.moving[Symbol.dispose]();
    this.#state = { kind: "ended", ending, durationMs, result };
    this.#progress = [];
  }

  render(width: number): readonly string[] {
    const state = this.#state;
    if (state.kind !== "ended") return this.#unfinished(state, width);
    if (this.#drawn?.width !== width || this.#drawn.expanded !== this.expanded)
      this.#drawn = { width, expanded: this.expanded, lines: this.#ended(state, width) };
    return this.#drawn.lines;
  }

  #unfinished(state: Exclude<State, { kind: "ended" }>, width: number): readonly string[] {
    const { dim, accent } = this.#theme;
    const { previewLength } = this.#display();
    if (state.kind !== "running")
      return [
        fit(dim(`${state.kind === "asking" ? "?" : "·"} ${toolLine(this.#call, width - 4, previewLength)}`), width),
      ];
    const time = elapsed(state.since);
    const sign = this.#ticker.sign();
    const room = width - 3 - columnsOf(sign) - (time === "" ? 0 : time.length + 2);
    const title = toolLine(this.#call, room, previewLength);
    return [
      `${accent(sign)} ${title}${time === "" ? "" : dim(`  ${time}`)}`,
      ...this.#subagentLines(width),
      ...this.#progress.map((line) => dim(`   ${line}`)),
    ].map((line) => fit(line, width));
  }

  #ended(state: Extract<State, { kind: "ended" }>, width: number): readonly string[] {
    const { warn } = this.#theme;
    const display = this.#display();
    const size = this.expanded ? "expanded" : "short";
    const { summary, lines } = detailsOf(this.#call, state.result, display, size, EXPAND_HINT);
    const title = endedLines(this.#call, width - 2, display.previewLength, state, summary);
    return [
      ...(state.ending.kind === "ok" && state.ending.text === "" ? title : title.map(warn)),
      ...this.#subagentLines(width),
      ...lines.map((line) => `   ${this.#painted(line)}`),
    ].map((line) => fit(line, width));
  }

  #painted({ kind, text }: PreviewLine): string {
    const { good, bad, accent, dim } = this.#theme;
    const paint = { added: good, removed: bad, current: accent, done: dim, plain: dim }[kind];
    return paint(text.replaceAll("\t", "    "));
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

  invalidate(): void {
    this.#drawn = undefined;
  }
}

const EXPAND_HINT = "Ctrl-O shows all";

function fit(line: string, width: number): string {
  return ` ${truncateToWidth(line, width - 1, "…")}`;
}

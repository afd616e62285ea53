import { truncateToWidth, type Component, type TuiMouseEvent, type TuiMouseEventResult } from "@earendil-works/pi-tui";
import type { ImagePart } from "../../../../contract/conversation/part.ts";
import type { Display } from "../../../shared/display/display.ts";
import type { CallEnding } from "../../../shared/display/call-ending.ts";
import { printable } from "../../../shared/display/printable.ts";
import { width as columnsOf } from "../../../shared/display/width.ts";
import { detailsOf } from "../../output/call-details.ts";
import { paintedPreview } from "../../output/painted-preview.ts";
import { endedBranchLine, subagentLine } from "../../output/subagent-line.ts";
import { SubagentTree, type Branch, type Subagent } from "../../output/subagent-tree.ts";
import { endedLines, toolLine, type ShownCall } from "../../output/tool-line.ts";
import type { Theme } from "./theme.ts";
import { Thumbnails } from "./thumbnails.ts";
import { elapsed, type Ticker } from "./ticker.ts";

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
  readonly #subagents = new SubagentTree();
  #thumbnails: Thumbnails | undefined;

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
  subagent(sessionId: string, news: Partial<Omit<Subagent, "since">>): void {
    this.#subagents.update(sessionId, news);
    this.#drawn = undefined;
  }

  /**
   * @param result The text that the model read, if the call succeeded.
   * @param images Images of the result.
   */
  end(ending: CallEnding, durationMs: number, result?: string, images: readonly ImagePart[] = []): void {
    if (this.#state.kind === "running") this.#state.moving[Symbol.dispose]();
    this.#state = { kind: "ended", ending, durationMs, result };
    this.#progress = [];
    if (images.length > 0) this.#thumbnails = new Thumbnails(images, this.#theme);
  }

  /** The lines below the title that are hidden until the card is expanded. */
  get hiddenLines(): number {
    if (this.#state.kind !== "ended") return 0;
    const linesOf = (size: "short" | "expanded"): number =>
      detailsOf(this.#call, this.#ended(), this.#display(), size).lines.length;
    return linesOf("expanded") - linesOf("short");
  }

  /** It has more than a title. */
  get readable(): boolean {
    return (
      this.#state.kind === "ended" && detailsOf(this.#call, this.#ended(), this.#display(), "whole").lines.length > 0
    );
  }

  /** The title, and all lines below it, for a pager. */
  whole(width: number): { readonly title: string; readonly lines: readonly string[] } {
    const { lines } = detailsOf(this.#call, this.#ended(), this.#display(), "whole");
    return {
      title: toolLine(this.#call, width, 0),
      lines: paintedPreview(lines, width, this.#theme.preview),
    };
  }

  handleMouse({ type, button }: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (type !== "click" || button !== "left" || (this.hiddenLines === 0 && !this.expanded)) return undefined;
    this.expanded = !this.expanded;
    return { handled: true };
  }

  #ended(): string | undefined {
    return this.#state.kind === "ended" ? this.#state.result : undefined;
  }

  render(width: number): readonly string[] {
    const state = this.#state;
    if (state.kind !== "ended") return this.#unfinished(state, width);
    if (this.#drawn?.width !== width || this.#drawn.expanded !== this.expanded)
      this.#drawn = { width, expanded: this.expanded, lines: this.#endedLines(state, width) };
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

  #endedLines(state: Extract<State, { kind: "ended" }>, width: number): readonly string[] {
    const { warn, preview } = this.#theme;
    const display = this.#display();
    const size = this.expanded ? "expanded" : "short";
    const { summary, lines } = detailsOf(this.#call, state.result, display, size, HINTS[size]);
    const title = endedLines(this.#call, width - 2, display.previewLength, state, summary);
    return [
      ...[
        ...(state.ending.kind === "ok" && state.ending.text === "" ? title : title.map(warn)),
        ...this.#subagentLines(width),
        ...paintedPreview(lines, width - 5, preview).map((line) => `   ${line}`),
      ].map((line) => fit(line, width)),
      ...(this.#thumbnails?.render(width) ?? []),
    ];
  }

  #subagentLines(width: number): readonly string[] {
    return this.#subagents.branches(this.#state.kind !== "ended").map((branch) => this.#subagentLine(branch, width));
  }

  #subagentLine({ lines, subagent: { goal, doing, since, ended } }: Branch, width: number): string {
    const { dim, accent, warn } = this.#theme;
    const before = `  ${dim(lines)}`;
    const room = width - 5 - lines.length;
    if (ended !== undefined)
      return `${before}${(ended.reason === "done" ? dim : warn)(endedBranchLine(goal, ended, room))}`;
    // The call ended before this subagent, whose end is never reported.
    if (this.#state.kind === "ended") return `${before}${dim(subagentLine("·", goal, "", room))}`;
    const sign = this.#ticker.sign();
    const line = subagentLine("", goal, `${elapsed(since)}  ${doing}`, room - columnsOf(sign)).trimStart();
    return `${before}${accent(sign)} ${dim(line)}`;
  }

  invalidate(): void {
    this.#drawn = undefined;
    this.#thumbnails?.invalidate();
  }
}

/**
 * Expands the newest card that hides lines; then all cards; then folds all.
 * @param all All cards are expanded now.
 * @returns Whether they are now, and new ones will be.
 */
export function expandMore(cards: readonly CallCard[], all: boolean): boolean {
  const hiding = cards.filter((card) => card.hiddenLines > 0);
  const newest = hiding.at(-1);
  if (!all && newest !== undefined && !newest.expanded) {
    newest.expanded = true;
    return hiding.every((card) => card.expanded);
  }
  for (const card of cards) card.expanded = !all;
  return !all;
}

/** How the user sees the lines that are left out. */
const HINTS = { short: "Ctrl-O shows all", expanded: "Ctrl-T shows all" };

function fit(line: string, width: number): string {
  return ` ${truncateToWidth(line, width - 1, "…")}`;
}

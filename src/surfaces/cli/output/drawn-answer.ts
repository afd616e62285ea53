import { MarkdownView } from "../markdown/markdown-view.ts";
import { themeOf } from "../interactive/view/theme.ts";
import { backgroundOfVariable } from "../interactive/terminal/background.ts";
import type { Io } from "../../shared/process/io.ts";

/** Between two drawings of text that streams. */
const FRAME_MS = 60;
/** At the end, colours of code are worth so long a wait. */
const GRAMMAR_MS = 300;

/** Draws answers as Markdown below each other on a terminal, each in place while it streams. */
export class AnswerDrawer {
  readonly #io: Io;
  readonly #theme;
  #view: MarkdownView | undefined;
  /** Lines of the current answer as they are on the terminal. */
  #shown: readonly string[] = [];
  #frame: NodeJS.Timeout | undefined;
  #onColours: (() => void) | undefined;

  constructor(io: Io) {
    this.#io = io;
    const background = backgroundOfVariable(process.env["COLORFGBG"]);
    this.#theme = themeOf(
      { ...io, style: io.styleOut },
      undefined,
      () => this.#recolour(),
      () => background,
    );
  }

  /** Adds streamed text. */
  add(text: string): void {
    this.#view ??= new MarkdownView(this.#theme.markdown, "", 0);
    this.#view.add(text);
    this.#frame ??= setTimeout(() => this.#draw(), FRAME_MS);
  }

  /** Draws the stored answer. More may follow if the output limit cut it. */
  settle(text: string): void {
    if (text.trim() === "") return;
    this.#view ??= new MarkdownView(this.#theme.markdown, "", 0);
    this.#view.settle(text);
    this.#draw();
  }

  /** Call before something else is printed: what is drawn stays. */
  leave(): void {
    if (this.#frame !== undefined) this.#draw();
    this.#view = undefined;
    this.#shown = [];
  }

  /** Waits a moment for the colours of code that is on the screen. */
  async end(): Promise<void> {
    if (this.#frame !== undefined) this.#draw();
    if (this.#view !== undefined && this.#shown.some((line) => line.includes("── ")))
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, GRAMMAR_MS);
        this.#onColours = () => (clearTimeout(timer), resolve());
      });
    this.leave();
  }

  #recolour(): void {
    this.#view?.invalidate();
    this.#draw();
    this.#onColours?.();
  }

  /** Writes the lines from the first that has changed, if it is still on the screen. */
  #draw(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    if (this.#view === undefined) return;
    const lines = this.#view.render(this.#io.columns);
    const before = this.#shown;
    const reachable = Math.max(0, before.length - (this.#io.rows - 2));
    let same = 0;
    while (same < before.length && same < lines.length && before[same] === lines[same]) same++;
    const from = Math.max(same, reachable);
    if (from < before.length || from < lines.length) this.#io.draw(before.length - from, lines.slice(from));
    this.#shown = lines;
  }
}

import { wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import type { Display } from "../../../shared/display/display.ts";
import { thoughtLines } from "../../output/thought-lines.ts";
import type { Theme } from "./theme.ts";

/** The model's reasoning as it streams: dim, and limited in length. */
export class Thoughts implements Component {
  readonly #theme: Theme;
  readonly #display: () => Display;
  #text = "";

  constructor(theme: Theme, display: () => Display) {
    this.#theme = theme;
    this.#display = display;
  }

  add(text: string): void {
    this.#text += text;
  }

  render(width: number): string[] {
    const { reasoning } = this.#display();
    const lines = thoughtLines(this.#text, reasoning).flatMap((line) => wrapTextWithAnsi(line, Math.max(8, width - 4)));
    const shown = reasoning === "full" ? lines : lines.slice(-MAX_LINES);
    return shown.length === 0 ? [] : ["", ...shown.map((line) => `   ${this.#theme.dim(line)}`)];
  }

  invalidate(): void {}
}

/** Counts wrapped lines: one long line becomes many on a narrow screen. */
const MAX_LINES = 6;

import { wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import { width as columnsOf } from "../../../shared/display/width.ts";
import type { Theme } from "../view/theme.ts";
import { elapsed, type Ticker } from "../view/ticker.ts";

/** Shows what the session waits for, with a spinner and the elapsed time. Empty if it waits for nothing. */
export class WaitingLine implements Component {
  readonly #theme: Theme;
  readonly #ticker: Ticker;
  #awaited: { readonly text: string; readonly since: number; readonly moving: Disposable } | undefined;

  constructor(theme: Theme, ticker: Ticker) {
    this.#theme = theme;
    this.#ticker = ticker;
  }

  show(text: string): void {
    if (this.#awaited === undefined) this.#awaited = { text, since: performance.now(), moving: this.#ticker.start() };
    else if (text !== this.#awaited.text) this.#awaited = { ...this.#awaited, text };
  }

  hide(): void {
    this.#awaited?.moving[Symbol.dispose]();
    this.#awaited = undefined;
  }

  render(width: number): string[] {
    if (this.#awaited === undefined) return [];
    const { text, since } = this.#awaited;
    const { accent, dim } = this.#theme;
    const sign = this.#ticker.sign();
    const indent = columnsOf(sign);
    const lines = wrapTextWithAnsi(dim(`${text} ${elapsed(since)}`), Math.max(8, width - 3 - indent));
    return ["", ...lines.map((line, index) => ` ${index === 0 ? accent(sign) : " ".repeat(indent)} ${line}`)];
  }

  invalidate(): void {}
}

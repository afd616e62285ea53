import { matchesKey, wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import type { Theme } from "../view/theme.ts";

export interface KeyedChoice {
  /** One letter or digit that selects the choice. */
  readonly key: string;
  readonly label: string;
}

/** A few choices, selected by key or by arrows and Enter; Escape leaves. Long labels wrap and are never cut. */
export class KeyedList implements Component {
  readonly #choices: readonly KeyedChoice[];
  readonly #theme: Theme;
  readonly #chosen: (index: number) => void;
  readonly #left: () => void;
  #selected: number;

  constructor(
    choices: readonly KeyedChoice[],
    theme: Theme,
    options: { readonly selected: number; readonly chosen: (index: number) => void; readonly left: () => void },
  ) {
    this.#choices = choices;
    this.#theme = theme;
    this.#selected = options.selected;
    this.#chosen = options.chosen;
    this.#left = options.left;
  }

  handleInput(data: string): void {
    const count = this.#choices.length;
    const byKey = this.#choices.findIndex(({ key }) => key === data.toLowerCase());
    if (byKey >= 0) this.#chosen(byKey);
    else if (matchesKey(data, "enter")) this.#chosen(this.#selected);
    else if (matchesKey(data, "escape")) this.#left();
    else if (matchesKey(data, "up") || matchesKey(data, "shift+tab"))
      this.#selected = (this.#selected + count - 1) % count;
    else if (matchesKey(data, "down") || matchesKey(data, "tab")) this.#selected = (this.#selected + 1) % count;
  }

  render(width: number): string[] {
    return this.#choices.flatMap(({ key, label }, index) => {
      const here = index === this.#selected;
      const lines = wrapTextWithAnsi(label, Math.max(8, width - 9));
      return lines.map((line, row) => {
        const text = `${row === 0 ? `${here ? "→" : " "} [${key}]` : "     "} ${line}`;
        return ` ${here ? this.#theme.accent(text) : text}`;
      });
    });
  }

  invalidate(): void {}
}

import {
  fuzzyFilter,
  Input,
  matchesKey,
  truncateToWidth,
  type Component,
  type Focusable,
} from "@earendil-works/pi-tui";
import { oneLine } from "../../../shared/display/printable.ts";
import type { Theme } from "../view/theme.ts";

const ROWS = 10;

/** A long list that narrows as the user types; arrows and Enter choose, Escape leaves. */
export class FilteredList implements Component, Focusable {
  readonly #input = new Input();
  readonly #choices: readonly { readonly index: number; readonly label: string }[];
  readonly #theme: Theme;
  readonly #chosen: (index: number) => void;
  readonly #left: () => void;
  #shown: readonly { readonly index: number; readonly label: string }[];
  #selected = 0;

  /** @param options.chosen Gets the index of a label. */
  constructor(
    labels: readonly string[],
    theme: Theme,
    options: { readonly chosen: (index: number) => void; readonly left: () => void },
  ) {
    this.#choices = labels.map((label, index) => ({ index, label: oneLine(label) }));
    this.#shown = this.#choices;
    this.#theme = theme;
    this.#chosen = options.chosen;
    this.#left = options.left;
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  handleInput(data: string): void {
    const count = this.#shown.length;
    if (matchesKey(data, "escape")) return this.#left();
    if (matchesKey(data, "enter")) {
      const choice = this.#shown[this.#selected];
      if (choice !== undefined) this.#chosen(choice.index);
    } else if (matchesKey(data, "up")) this.#selected = (this.#selected + count - 1) % Math.max(1, count);
    else if (matchesKey(data, "down") || matchesKey(data, "tab"))
      this.#selected = (this.#selected + 1) % Math.max(1, count);
    else if (matchesKey(data, "pageUp")) this.#selected = Math.max(0, this.#selected - ROWS);
    else if (matchesKey(data, "pageDown")) this.#selected = Math.max(0, Math.min(count - 1, this.#selected + ROWS));
    else this.#filter(data);
  }

  render(width: number): string[] {
    const { accent, dim } = this.#theme;
    const from = Math.max(0, Math.min(this.#selected - Math.floor(ROWS / 2), this.#shown.length - ROWS));
    const rows = this.#shown.slice(from, from + ROWS).map(({ label }, at) => {
      const here = from + at === this.#selected;
      const line = truncateToWidth(`${here ? "→" : " "} ${label}`, width - 2, "…");
      return ` ${here ? accent(line) : line}`;
    });
    const count =
      this.#shown.length === 0
        ? "nothing matches"
        : `${this.#selected + 1} of ${this.#shown.length} · type to filter, arrows and Enter choose`;
    return [...this.#input.render(width), ...rows, ` ${dim(truncateToWidth(count, width - 2, "…"))}`];
  }

  invalidate(): void {}

  #filter(data: string): void {
    const before = this.#input.getValue();
    this.#input.handleInput(data);
    const query = this.#input.getValue();
    if (query === before) return;
    this.#shown = query.trim() === "" ? this.#choices : fuzzyFilter([...this.#choices], query, ({ label }) => label);
    this.#selected = 0;
  }
}

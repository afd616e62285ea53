import { cutTo } from "../../shared/display/width.ts";
import { printable } from "../../shared/display/printable.ts";

/** A key press, as Node's `readline` names it. */
export interface KeyPress {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean | undefined;
  readonly meta?: boolean | undefined;
}

/** One printed line; `here` is the line that Enter selects. */
export interface ListLine {
  readonly text: string;
  readonly style?: "here" | "title" | "dim";
}

/** The title, the filter, the notes about hidden rows, the line about the keys, and some of what was printed before. */
const LINES_AROUND = 10;
const MIN_ROWS = 3;

/**
 * A list in which arrow keys move and typed text filters. A typed number selects the row with that number. It only
 * computes: `press` takes a key, `lines` returns the picture.
 */
export class ChoiceList {
  readonly #title: string;
  readonly #labels: readonly string[];
  readonly #from: 0 | 1;
  #filter = "";
  #at = 0;

  /** @param from The number of the first label. 0: that label has no number, because it is no choice.
   *  @param at The index that is selected at first. */
  constructor(title: string, labels: readonly string[], from: 0 | 1 = 1, at = 0) {
    this.#title = title;
    this.#labels = labels;
    this.#from = from;
    this.#at = at;
  }

  /** @returns the index of the selected label, `left` after Escape, or `undefined` while the user goes on. */
  press({ name, sequence = "", ctrl = false, meta = false }: KeyPress): number | "left" | undefined {
    const rows = this.#rows();
    const last = Math.max(0, rows.length - 1);
    if (name === "return" || name === "enter") return rows[this.#at];
    if (name === "escape") {
      if (this.#filter === "") return "left";
      this.#narrow("");
    } else if (name === "up" || (ctrl && name === "p")) this.#at = this.#at === 0 ? last : this.#at - 1;
    else if (name === "down" || (ctrl && name === "n")) this.#at = this.#at === last ? 0 : this.#at + 1;
    else if (name === "pageup") this.#at = Math.max(0, this.#at - 10);
    else if (name === "pagedown") this.#at = Math.min(last, this.#at + 10);
    else if (name === "home") this.#at = 0;
    else if (name === "end") this.#at = last;
    else if (name === "backspace") this.#narrow([...this.#filter].slice(0, -1).join(""));
    else if (ctrl && name === "u") this.#narrow("");
    else if (!ctrl && !meta && sequence !== "" && !/[\0-\x1f\x7f]/.test(sequence))
      this.#narrow(this.#filter + sequence);
    return undefined;
  }

  /** The picture of at most `rows` lines, each cut to `columns`. `leave` says what Escape does. */
  lines(columns: number, rows: number, leave: string): readonly ListLine[] {
    const fitting = this.#rows();
    const shown = Math.max(MIN_ROWS, rows - LINES_AROUND);
    const first = Math.min(Math.max(0, this.#at - Math.floor(shown / 2)), Math.max(0, fitting.length - shown));
    const window = fitting.slice(first, first + shown);
    const below = fitting.length - first - window.length;
    const line = (text: string, style?: ListLine["style"]): ListLine => ({ text: cutTo(text, columns), style });
    return [
      line(printable(this.#title), "title"),
      ...(this.#filter === "" ? [] : [line(`  Filter: ${printable(this.#filter)}▏`)]),
      ...(first > 0 ? [line(`  ↑ ${first} more`, "dim")] : []),
      ...window.map((index, row) => {
        const here = first + row === this.#at;
        return line(
          `${here ? "❯" : " "} ${this.#numberOf(index)}${printable(this.#labels[index]!)}`,
          here ? "here" : undefined,
        );
      }),
      ...(fitting.length === 0 ? [line("  No choice matches. Press Backspace or Escape.", "dim")] : []),
      ...(below > 0 ? [line(`  ↓ ${below} more`, "dim")] : []),
      line(
        `  ↑↓ move · type to filter · Enter selects · Esc: ${this.#filter === "" ? leave : "clears the filter"}`,
        "dim",
      ),
    ];
  }

  #narrow(filter: string): void {
    this.#filter = filter;
    this.#at = this.#rowOf(filter) ?? 0;
  }

  #numberOf(index: number): string {
    const number = index + this.#from;
    return number === 0 ? "" : `${String(number).padStart(2)}. `;
  }

  /** The index of the row that a typed number names. */
  #rowOf(typed: string): number | undefined {
    const index = /^[1-9]\d*$/.test(typed) ? Number(typed) - this.#from : -1;
    return this.#labels[index] === undefined ? undefined : index;
  }

  /** Indexes of the labels that contain all typed words. A number that is a row keeps all rows and selects one. */
  #rows(): readonly number[] {
    const all = this.#labels.map((_, index) => index);
    if (this.#rowOf(this.#filter) !== undefined) return all;
    const words = this.#filter.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter((index) => words.every((word) => this.#labels[index]!.toLowerCase().includes(word)));
  }
}

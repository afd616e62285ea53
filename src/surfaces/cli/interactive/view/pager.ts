import { matchesKey, stripTerminalSequences, truncateToWidth, type Component } from "@earendil-works/pi-tui";
import { cutTo } from "../../../shared/display/width.ts";
import type { Theme } from "./theme.ts";

/** A text to read: what a call did or printed. */
export interface Page {
  readonly title: string;
  readonly lines: readonly string[];
}

export interface PagerPorts {
  readonly theme: Pick<Theme, "dim" | "accent" | "strong">;
  /** The oldest first; at least one. Called again when the width changes. */
  pages(columns: number): readonly Page[];
  rows(): number;
  close(): void;
}

const HELP = "/ search  n N hits  [ ] calls  g G ends  q closes";

/** Shows long texts on the full screen, like `less`: scrolls, searches, and goes to the text before or after. */
export class Pager implements Component {
  readonly #ports: PagerPorts;
  #pages: readonly Page[] = [];
  #columns = 0;
  /** The page shown; the newest at first. */
  #page: number | undefined;
  #top = 0;
  /** What is being typed behind `/`. */
  #typed: string | undefined;
  #word = "";
  #missed = false;

  constructor(ports: PagerPorts) {
    this.#ports = ports;
  }

  render(width: number): readonly string[] {
    this.#load(width);
    const { theme } = this.#ports;
    const { title, lines } = this.#current();
    const height = this.#height();
    this.#top = Math.max(0, Math.min(this.#top, lines.length - height));
    const shown = lines.slice(this.#top, this.#top + height).map((line) => ` ${this.#marked(line)}`);
    const rows = [
      theme.strong(` ${cutTo(title, width - 1)}`),
      ...shown,
      ...Array.from({ length: Math.max(0, height - shown.length) }, () => theme.dim(" ~")),
      this.#footer(width),
    ];
    return rows.map((row) => padded(truncateToWidth(row, width, ""), width));
  }

  handleInput(data: string): void {
    if (this.#typed !== undefined) return this.#onSearchKey(data, this.#typed);
    this.#missed = false;
    const key = (...names: readonly Parameters<typeof matchesKey>[1][]): boolean =>
      names.some((name) => matchesKey(data, name));
    const page = this.#height();
    if (key("q", "escape", "ctrl+c", "ctrl+d")) this.#ports.close();
    else if (key("/")) this.#typed = "";
    else if (data === "n") this.#find(1);
    else if (data === "N" || key("shift+n")) this.#find(-1);
    else if (data === "G" || key("shift+g", "end")) this.#top = Number.MAX_SAFE_INTEGER;
    else if (data === "g" || key("home")) this.#top = 0;
    else if (key("space", "pageDown", "f")) this.#top += page;
    else if (key("b", "pageUp")) this.#top -= page;
    else if (key("j", "down", "enter")) this.#top += 1;
    else if (key("k", "up")) this.#top -= 1;
    else if (data === "[") this.#go(-1);
    else if (data === "]") this.#go(1);
  }

  invalidate(): void {
    this.#columns = 0;
  }

  #load(width: number): void {
    if (this.#columns === width) return;
    this.#columns = width;
    this.#pages = this.#ports.pages(width - 1);
    this.#page ??= this.#pages.length - 1;
  }

  #current(): Page {
    return this.#pages[this.#page ?? 0] ?? { title: "", lines: [] };
  }

  #height(): number {
    return Math.max(1, this.#ports.rows() - 2);
  }

  #footer(width: number): string {
    const { theme } = this.#ports;
    if (this.#typed !== undefined) return ` /${this.#typed}${theme.accent("▏")}`;
    const { lines } = this.#current();
    const end = Math.min(lines.length, this.#top + this.#height());
    const place = `${Math.min(lines.length, this.#top + 1)}–${end} of ${lines.length}`;
    const call = this.#pages.length === 1 ? "" : `  call ${(this.#page ?? 0) + 1} of ${this.#pages.length}`;
    const state = this.#missed ? `“${this.#word}” not found` : `${place}${call}`;
    return ` ${theme.accent(state)}  ${theme.dim(cutTo(HELP, Math.max(1, width - state.length - 4)))}`;
  }

  #onSearchKey(data: string, typed: string): void {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.#typed = undefined;
    else if (matchesKey(data, "backspace")) this.#typed = typed === "" ? undefined : typed.slice(0, -1);
    else if (matchesKey(data, "enter")) {
      this.#typed = undefined;
      if (typed !== "") this.#word = typed;
      this.#find(1, this.#top);
    } else if (!data.startsWith("\u001b") && data >= " ") this.#typed = typed + data;
  }

  /** Scrolls to the next line with the word, or the one before; around the end. Case counts if the word has capitals. */
  #find(step: 1 | -1, from = this.#top + step): void {
    if (this.#word === "") return;
    const { lines } = this.#current();
    for (let tried = 0; tried < lines.length; tried++) {
      const at = (from + step * tried + lines.length * 2) % lines.length;
      if (placeOf(stripTerminalSequences(lines[at]!), this.#word) < 0) continue;
      this.#top = at;
      return;
    }
    this.#missed = true;
  }

  #marked(line: string): string {
    if (this.#word === "") return line;
    const text = stripTerminalSequences(line);
    const at = placeOf(text, this.#word);
    if (at < 0) return line;
    const end = at + this.#word.length;
    return `${text.slice(0, at)}\u001b[7m${text.slice(at, end)}\u001b[27m${text.slice(end)}`;
  }

  #go(step: 1 | -1): void {
    const page = (this.#page ?? 0) + step;
    if (page < 0 || page >= this.#pages.length) return;
    this.#page = page;
    this.#top = 0;
  }
}

function placeOf(text: string, word: string): number {
  return word === word.toLowerCase() ? text.toLowerCase().indexOf(word) : text.indexOf(word);
}

/** A full row, so that nothing below the pager shows through. */
function padded(row: string, width: number): string {
  return truncateToWidth(row, width, "", true);
}

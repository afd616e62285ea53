import {
  fuzzyFilter,
  getKeybindings,
  Input,
  matchesKey,
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
  type Component,
  type Focusable,
} from "@earendil-works/pi-tui";
import type { PickItem, PickList } from "../../../../contract/conversation/pick-list.ts";
import { oneLine, printable } from "../../../shared/display/printable.ts";
import type { Theme } from "../view/theme.ts";

/** From this width on, the preview is beside the list, else below it. */
const BESIDE_COLUMNS = 76;
const ROWS = { most: 14, least: 4, previewed: 8, below: 6 };
/** Lines of the screen that are not the picker's: its frame, the status line, and a bit of the conversation. */
const OTHER_LINES = 8;
/** A preview is read when the selection has rested for this long. */
const REST_MS = 60;
const PREVIEW_CHARACTERS = 20_000;

export interface PickerPorts {
  readonly theme: Theme;
  /** The height of the terminal. */
  rows(): number;
  draw(): void;
  /** Gets the value of the picked item. */
  picked(value: string): void;
  left(): void;
}

interface Row {
  readonly item: PickItem;
  readonly label: string;
  readonly detail: string;
  readonly search: string;
}

/** A list that narrows as the user types, with a preview of the selected item. */
export class Picker implements Component, Focusable {
  readonly #list: PickList;
  readonly #ports: PickerPorts;
  readonly #input = new Input();
  readonly #previews = new Map<string, string>();
  #rows: Row[];
  #shown: readonly Row[];
  #query = "";
  #selected: number;
  #resting: NodeJS.Timeout | undefined;
  #reading: AbortController | undefined;
  /** An item that is being switched. */
  #busy = false;
  #problem = "";
  /** Lines of the preview below the list. */
  #below = 0;

  constructor(list: PickList, ports: PickerPorts) {
    this.#list = list;
    this.#ports = ports;
    this.#rows = list.items.map(rowOf);
    this.#shown = this.#rows;
    this.#selected = Math.max(
      0,
      list.items.findIndex(({ value }) => value === list.selected),
    );
    this.#moved();
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const count = this.#shown.length;
    if (keys.matches(data, "tui.select.cancel") || matchesKey(data, "escape")) return this.#leave();
    if (keys.matches(data, "tui.select.confirm")) return this.#confirm();
    const page = this.#height();
    if (keys.matches(data, "tui.select.up") || matchesKey(data, "shift+tab"))
      this.#select((this.#selected + count - 1) % Math.max(1, count));
    else if (keys.matches(data, "tui.select.down") || matchesKey(data, "tab"))
      this.#select((this.#selected + 1) % Math.max(1, count));
    else if (keys.matches(data, "tui.select.pageUp")) this.#select(Math.max(0, this.#selected - page));
    else if (keys.matches(data, "tui.select.pageDown"))
      this.#select(Math.max(0, Math.min(count - 1, this.#selected + page)));
    else this.#filter(data);
  }

  render(width: number): string[] {
    const { dim, bad } = this.#ports.theme;
    const previewed = this.#list.preview !== undefined;
    const beside = previewed && width >= BESIDE_COLUMNS;
    this.#below = previewed && !beside ? ROWS.below + 1 : 0;
    const height = this.#height();
    const left = beside ? Math.floor((width - 5) * 0.5) : width - 2;
    const rows = this.#listRows(height, left);
    const foot = ` ${this.#problem === "" ? dim(this.#keys(width - 2)) : bad(truncateToWidth(this.#problem, width - 2, "…"))}`;
    const input = this.#input.render(Math.max(1, width - 1)).map((line) => ` ${line}`);
    if (!beside)
      return [
        ...input,
        ...rows.map((row) => ` ${row}`),
        ...(previewed
          ? [
              dim(` ${"─".repeat(Math.max(0, width - 2))}`),
              ...this.#preview(width - 2, ROWS.below).map((line) => ` ${line}`),
            ]
          : []),
        foot,
      ];
    const preview = this.#preview(width - left - 5, height);
    const lines = Array.from({ length: height }, (_, at) => {
      const row = rows[at] ?? "";
      return ` ${row}${" ".repeat(Math.max(0, left - visibleWidth(row)))} ${dim("│")} ${preview[at] ?? ""}`;
    });
    return [...input, ...lines, foot];
  }

  invalidate(): void {}

  /** The line of keys, without the parts that do not fit. */
  #keys(width: number): string {
    if (this.#shown.length === 0) return "nothing matches";
    const { verb = this.#list.toggle === undefined ? "picks" : "switches" } = this.#list;
    const parts = [`${this.#selected + 1} of ${this.#shown.length}`, `Enter ${verb}`, "Esc leaves", "type to filter"];
    let line = parts[0]!;
    for (const part of parts.slice(1)) if (visibleWidth(`${line} · ${part}`) <= width) line += ` · ${part}`;
    return truncateToWidth(line, width, "…");
  }

  /** Rows of the list: the same whatever is filtered, so that the screen does not jump. */
  #height(): number {
    const needed = Math.max(this.#rows.length, this.#list.preview === undefined ? 1 : ROWS.previewed);
    return Math.min(needed, Math.max(ROWS.least, Math.min(ROWS.most, this.#ports.rows() - OTHER_LINES - this.#below)));
  }

  #listRows(height: number, width: number): string[] {
    const { accent, dim } = this.#ports.theme;
    const from = Math.max(0, Math.min(this.#selected - Math.floor(height / 2), this.#shown.length - height));
    const rows = this.#shown.slice(from, from + height);
    // Details are a column, so that they line up, and leave most of the row to the labels.
    const details = Math.min(Math.floor(width * 0.4), Math.max(0, ...rows.map(({ detail }) => visibleWidth(detail))));
    const labels = details === 0 ? width : width - details - 2;
    return rows.map(({ item, label, detail }, at) => {
      const here = from + at === this.#selected;
      const depth = this.#query === "" ? (item.depth ?? 0) : 0;
      const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `;
      const head = truncateToWidth(`${here ? "→" : " "} ${branch}${label}`, labels, "…");
      const tail =
        detail === "" ? "" : `${" ".repeat(labels - visibleWidth(head) + 2)}${truncateToWidth(detail, details, "…")}`;
      return `${here ? accent(head) : head}${dim(tail)}`;
    });
  }

  #preview(width: number, height: number): string[] {
    const { dim, good, bad, accent } = this.#ports.theme;
    const row = this.#shown[this.#selected];
    if (row === undefined) return [];
    const text = this.#previews.get(row.item.value);
    if (text === undefined) return [dim("…")];
    const paint = (line: string): string => {
      if (this.#list.diff !== true) return line;
      if (/^(?:\+\+\+|---) /.test(line)) return dim(line);
      return line.startsWith("+")
        ? good(line)
        : line.startsWith("-")
          ? bad(line)
          : line.startsWith("@@")
            ? accent(line)
            : line;
    };
    const lines: string[] = [];
    for (const line of text.split("\n")) {
      if (lines.length > height) break;
      const wrapped = this.#list.diff === true ? [truncateToWidth(line, width, "…")] : wrapTextWithAnsi(line, width);
      lines.push(...wrapped.map(paint));
    }
    return lines.length > height ? [...lines.slice(0, height - 1), dim("…")] : lines;
  }

  #confirm(): void {
    const row = this.#shown[this.#selected];
    if (row === undefined || this.#busy) return;
    const { toggle } = this.#list;
    if (toggle === undefined) {
      this.#stop();
      return this.#ports.picked(row.item.value);
    }
    this.#busy = true;
    this.#problem = "";
    toggle
      .call(this.#list, row.item.value)
      .then(
        (item) => this.#replace(row, rowOf(item)),
        (error: unknown) => void (this.#problem = oneLine(error instanceof Error ? error.message : String(error))),
      )
      .finally(() => {
        this.#busy = false;
        this.#ports.draw();
      });
  }

  #replace(before: Row, now: Row): void {
    const put = (row: Row): Row => (row === before ? now : row);
    this.#rows = this.#rows.map(put);
    this.#shown = this.#shown.map(put);
    this.#previews.delete(now.item.value);
    this.#moved();
  }

  #leave(): void {
    this.#stop();
    this.#ports.left();
  }

  #stop(): void {
    clearTimeout(this.#resting);
    this.#reading?.abort();
  }

  #filter(data: string): void {
    this.#input.handleInput(data);
    const query = this.#input.getValue().trim();
    if (query === this.#query) return;
    const narrower = query.startsWith(this.#query) && this.#query !== "";
    this.#shown =
      query === ""
        ? this.#rows
        : fuzzyFilter([...(narrower ? this.#shown : this.#rows)], query, ({ search }) => search);
    this.#query = query;
    this.#select(0);
  }

  #select(index: number): void {
    this.#selected = index;
    this.#problem = "";
    this.#moved();
  }

  #moved(): void {
    this.#stop();
    const row = this.#shown[this.#selected];
    if (row === undefined) return;
    const { value } = row.item;
    this.#list.moved?.(value);
    if (this.#list.preview === undefined || this.#previews.has(value)) return;
    const reading = (this.#reading = new AbortController());
    const read = async (): Promise<string> => this.#list.preview!(value, reading.signal);
    this.#resting = setTimeout(() => {
      read()
        .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
        .then(
          (text) => {
            if (reading.signal.aborted) return;
            this.#previews.set(value, printable(text.slice(0, PREVIEW_CHARACTERS)));
            this.#ports.draw();
          },
          () => undefined,
        );
    }, REST_MS);
  }
}

function rowOf(item: PickItem): Row {
  const [label, detail] = [oneLine(item.label), oneLine(item.detail ?? "")];
  return { item, label, detail, search: `${label} ${detail}` };
}

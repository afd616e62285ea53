import { element } from "../element.ts";

export interface VirtualListOptions<Item> {
  readonly label: string;
  readonly key: (item: Item) => string;
  readonly draw: (item: Item) => HTMLElement;
  /** Height of a row that was not drawn yet, in pixels. */
  readonly estimate: (item: Item) => number;
  /** Ends the list. */
  readonly signal: AbortSignal;
}

interface Row<Item> {
  readonly item: Item;
  readonly box: HTMLElement;
}

/** Pixels above and below the visible part in which rows are drawn, too. */
const AROUND = 500;

/**
 * A list of any length in the page's own scroll: only the rows near the visible part are elements. Rows may have any
 * height and may change it. The row with the focus always stays.
 */
export class VirtualList<Item> {
  readonly element: HTMLElement;
  readonly #options: VirtualListOptions<Item>;
  readonly #rows = new Map<string, Row<Item>>();
  readonly #heights = new Map<string, number>();
  readonly #sizes: ResizeObserver;
  #items: readonly Item[] = [];
  #index = new Map<string, number>();
  /** Top of each row, then the height of all. */
  #tops = new Float64Array(1);
  #frame = 0;

  constructor(options: VirtualListOptions<Item>) {
    this.#options = options;
    this.element = element("div", { class: "virtual", role: "list", "aria-label": options.label });
    this.#sizes = new ResizeObserver((entries) => this.#measured(entries));
    const look = (): void => this.#schedule();
    addEventListener("scroll", look, { passive: true, signal: options.signal });
    addEventListener("resize", () => this.#forget(), { passive: true, signal: options.signal });
    options.signal.addEventListener("abort", () => (this.#sizes.disconnect(), cancelAnimationFrame(this.#frame)), {
      once: true,
    });
  }

  /** Shows these items. A row is drawn again if its item is another object. */
  set(items: readonly Item[]): void {
    this.#items = items;
    this.#index = new Map(items.map((item, at) => [this.#options.key(item), at]));
    for (const [key, { box }] of this.#rows) if (!this.#index.has(key)) this.#drop(key, box);
    this.#place(0);
    this.#draw();
  }

  /** Scrolls to an item and returns its element. */
  reveal(key: string): HTMLElement | undefined {
    // What is drawn on the way has other heights than estimated, so the second time is exact.
    for (let tries = 0; tries < 3; tries++) {
      const at = this.#index.get(key);
      if (at === undefined) return undefined;
      const top = this.element.getBoundingClientRect().top + scrollY + this.#tops[at]!;
      scrollTo({ top: Math.max(0, top - innerHeight / 4), behavior: "instant" });
      this.#draw();
      for (const [each, { box }] of this.#rows) this.#note(each, box.offsetHeight);
      this.#place(0);
    }
    return this.#rows.get(key)?.box;
  }

  /** The element of an item, if it is drawn. */
  row(key: string): HTMLElement | undefined {
    return this.#rows.get(key)?.box;
  }

  #schedule(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #forget(): void {
    this.#heights.clear();
    for (const [key, { box }] of this.#rows) this.#note(key, box.offsetHeight);
    this.#place(0);
    this.#schedule();
  }

  /** Computes the tops from row `from` on, and moves the drawn rows there. */
  #place(from: number): void {
    const { key, estimate } = this.#options;
    if (this.#tops.length !== this.#items.length + 1) this.#tops = new Float64Array(this.#items.length + 1);
    for (let at = from; at < this.#items.length; at++) {
      const item = this.#items[at]!;
      this.#tops[at + 1] = this.#tops[at]! + (this.#heights.get(key(item)) ?? estimate(item));
    }
    this.element.style.height = `${this.#tops.at(-1)}px`;
    for (const [each, { box }] of this.#rows) this.#move(each, box);
  }

  #move(key: string, box: HTMLElement): void {
    box.style.transform = `translateY(${this.#tops[this.#index.get(key)!]}px)`;
  }

  #draw(): void {
    const top = -this.element.getBoundingClientRect().top - AROUND;
    const first = this.#at(top);
    const last = this.#at(top + innerHeight + 2 * AROUND);
    const wanted = new Set<string>();
    let before: Element | null = null;
    for (let at = first; at <= last && at < this.#items.length; at++) {
      const item = this.#items[at]!;
      const key = this.#options.key(item);
      wanted.add(key);
      let row = this.#rows.get(key);
      if (row?.item !== item) {
        const fresh = this.#make(item, at);
        if (row === undefined) this.#insert(fresh, before);
        else this.#replace(row.box, fresh);
        this.#rows.set(key, (row = { item, box: fresh }));
        this.#move(key, fresh);
      }
      before = row.box;
    }
    for (const [key, { box }] of this.#rows)
      if (!wanted.has(key) && !box.contains(document.activeElement)) this.#drop(key, box);
  }

  #make(item: Item, at: number): HTMLElement {
    const box = element(
      "div",
      { class: "virtual-row", role: "listitem", "aria-posinset": at + 1, "aria-setsize": this.#items.length },
      this.#options.draw(item),
    );
    this.#sizes.observe(box);
    return box;
  }

  #insert(box: HTMLElement, before: Element | null): void {
    if (before === null) this.element.prepend(box);
    else before.after(box);
  }

  #replace(old: HTMLElement, fresh: HTMLElement): void {
    const focused = old.contains(document.activeElement);
    this.#sizes.unobserve(old);
    old.replaceWith(fresh);
    if (focused) fresh.querySelector<HTMLElement>("a, button, summary, [tabindex]")?.focus({ preventScroll: true });
  }

  #drop(key: string, box: HTMLElement): void {
    this.#sizes.unobserve(box);
    box.remove();
    this.#rows.delete(key);
  }

  /** The row at this height. */
  #at(height: number): number {
    let [low, high] = [0, this.#items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#tops[middle + 1]! <= height) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #note(key: string, height: number): boolean {
    if (height === 0 || this.#heights.get(key) === height) return false;
    this.#heights.set(key, height);
    return true;
  }

  #measured(entries: readonly ResizeObserverEntry[]): void {
    const keys = new Map([...this.#rows].map(([key, { box }]) => [box as Element, key]));
    const visible = -this.element.getBoundingClientRect().top;
    const anchor = Math.min(this.#at(Math.max(0, visible)), this.#items.length);
    const before = this.#tops[anchor] ?? 0;
    let first = Infinity;
    for (const { target } of entries) {
      const key = keys.get(target);
      if (key !== undefined && this.#note(key, (target as HTMLElement).offsetHeight))
        first = Math.min(first, this.#index.get(key) ?? Infinity);
    }
    if (first === Infinity) return;
    this.#place(first);
    // Rows above the visible part must not push it.
    const moved = (this.#tops[anchor] ?? 0) - before;
    if (visible > 0 && moved !== 0) scrollBy({ top: moved, behavior: "instant" });
    this.#schedule();
  }
}

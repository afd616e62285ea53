import { Container, Markdown } from "@earendil-works/pi-tui";
import { printable } from "../../../shared/display/printable.ts";
import type { Theme } from "./theme.ts";

/**
 * A streamed answer. It lays out a complete block once, and only the last block again on each update. So drawing
 * costs the same at the end of a long answer as at its beginning.
 */
export class StreamedAnswer extends Container {
  readonly #theme: Theme;
  #growing = "";
  #last: Markdown;
  #fence: string | undefined;
  /** The position in `growing` from which to search for the next end of a block. */
  #seen = 0;

  constructor(theme: Theme) {
    super();
    this.#theme = theme;
    this.#last = this.#block("");
  }

  add(text: string): void {
    this.#growing += printable(text);
    for (let end = this.#endOfBlock(); end !== undefined; end = this.#endOfBlock()) {
      this.#last.setText(this.#growing.slice(0, end));
      this.#growing = this.#growing.slice(end);
      this.#seen = 0;
      this.#last = this.#block("");
    }
    this.#last.setText(this.#growing);
  }

  /** Replaces the streamed text with the stored answer, so that the screen matches the store. More text may follow. */
  settle(text: string): void {
    this.clear();
    this.#growing = printable(text);
    this.#seen = 0;
    this.#fence = undefined;
    this.#last = this.#block(this.#growing);
  }

  /**
   * The end of a block: a blank line before a plain paragraph or heading. Never within a list, quote, table or code.
   */
  #endOfBlock(): number | undefined {
    for (let end = this.#growing.indexOf("\n", this.#seen); end >= 0; end = this.#growing.indexOf("\n", this.#seen)) {
      const line = this.#growing.slice(this.#seen, end);
      const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      if (this.#fence === undefined) this.#fence = fence;
      else if (fence?.startsWith(this.#fence) === true) this.#fence = undefined;
      const next = this.#growing.slice(end + 1);
      if (this.#fence === undefined && line.trim() === "" && this.#seen > 0) {
        if (next.length < 2) return undefined;
        if (
          /^(?:#{1,6} |[\p{L}"'(*_`[][\p{L}\p{N}*_` ])/u.test(next) &&
          !/^[*-] /.test(next) &&
          !next.startsWith("``")
        ) {
          this.#seen = end + 1;
          return end + 1;
        }
      }
      this.#seen = end + 1;
    }
    return undefined;
  }

  #block(text: string): Markdown {
    const markdown = new Markdown(text, 1, 0, this.#theme.markdown);
    this.addChild(markdown);
    return markdown;
  }
}

import type { Component } from "@earendil-works/pi-tui";
import type { Token } from "marked";
import { printable } from "../../shared/display/printable.ts";
import { blockLines } from "./block-lines.ts";
import type { MarkdownStyle } from "./markdown-style.ts";
import { parseMarkdown } from "../../shared/display/parse-markdown.ts";

interface Block {
  readonly token: Token;
  /** It was drawn while more text of it was expected. */
  growing: boolean;
  /** For which the lines were made; 0: not yet. */
  width: number;
  lines: readonly string[];
}

/** So many blocks at the end may still change with the next text: a list may go on after an empty line. */
const OPEN_BLOCKS = 2;

/**
 * A Markdown text that may grow. Finished blocks are parsed and laid out once; only the last ones are read again when
 * text is added. So drawing costs the same at the end of a long answer as at its beginning.
 */
export class MarkdownView implements Component {
  readonly #style: MarkdownStyle;
  /** For the block that grows. */
  readonly #growing: MarkdownStyle;
  readonly #margin: string;
  readonly #done: Block[] = [];
  /** The source of the blocks that may still change. */
  #open = "";
  #last: readonly Block[] = [];
  #parsed = true;
  #streams = false;
  /** The lines of all finished blocks. */
  #finished: { width: number; readonly blocks: number; readonly lines: string[] } = { width: 0, blocks: 0, lines: [] };
  #drawn: { readonly width: number; readonly lines: readonly string[] } | undefined;

  /** @param margin Empty columns on both sides. */
  constructor(style: MarkdownStyle, text = "", margin = 1) {
    this.#style = style;
    this.#growing = { ...style, highlight: growingHighlight(style.highlight), diagram: () => undefined };
    this.#margin = " ".repeat(margin);
    this.#take(text);
  }

  /** Adds streamed text. */
  add(text: string): void {
    if (text === "") return;
    this.#streams = true;
    this.#take(text);
  }

  #take(text: string): void {
    this.#open += printable(text);
    this.#parsed = false;
    this.#drawn = undefined;
  }

  /** Replaces the streamed text with the stored answer, so that the screen matches the store. More text may follow. */
  settle(text: string): void {
    this.#done.length = 0;
    this.#finished = { width: 0, blocks: 0, lines: [] };
    this.#open = "";
    this.#last = [];
    this.#streams = false;
    this.#take(text);
  }

  render(width: number): readonly string[] {
    if (this.#drawn?.width !== width) this.#drawn = { width, lines: this.#lines(width) };
    return this.#drawn.lines;
  }

  invalidate(): void {
    for (const block of this.#done) block.width = 0;
    for (const block of this.#last) block.width = 0;
    this.#finished = { width: 0, blocks: 0, lines: [] };
    this.#drawn = undefined;
  }

  #lines(width: number): readonly string[] {
    if (!this.#parsed) this.#parse();
    if (this.#finished.width !== width) this.#finished = { width, blocks: 0, lines: [] };
    const { blocks, lines } = this.#finished;
    for (const block of this.#done.slice(blocks)) this.#append(lines, block, width, false);
    this.#finished = { width, blocks: this.#done.length, lines };
    const all = [...lines];
    for (const block of this.#last) this.#append(all, block, width, this.#streams && block === this.#last.at(-1));
    return all;
  }

  #parse(): void {
    this.#parsed = true;
    const tokens = parseMarkdown(this.#open);
    const shown = tokens.flatMap((token, at) => (token.type === "space" ? [] : at));
    // A link may be defined below its use, so such a text stays one piece.
    const end = Object.keys(tokens.links).length > 0 ? 0 : (shown.at(-OPEN_BLOCKS) ?? 0);
    const before = new Map(this.#last.map((block) => [block.token.raw, block]));
    const blockOf = (token: Token): Block => before.get(token.raw) ?? { token, width: 0, lines: [], growing: false };
    this.#done.push(...tokens.slice(0, end).map(blockOf));
    this.#last = tokens.slice(end).map(blockOf);
    this.#open = tokens
      .slice(end)
      .map(({ raw }) => raw)
      .join("");
  }

  #append(lines: string[], block: Block, width: number, growing: boolean): void {
    if (block.width !== width || block.growing !== growing) {
      const room = Math.max(1, width - 2 * this.#margin.length);
      block.lines = blockLines(block.token, room, growing ? this.#growing : this.#style).map((line) =>
        line === "" ? "" : `${this.#margin}${line}`,
      );
      block.width = width;
      block.growing = growing;
    }
    if (block.lines.length > 0 && lines.length > 0) lines.push("");
    for (const line of block.lines) lines.push(line);
  }
}

/** Code that grows is coloured again when it has grown by this share; lines since then are plain. */
const GROWTH = 0.25;
const ALWAYS_BELOW = 1_000;

/** Colouring all code of a long block for each piece of text would take longer than the pieces need to arrive. */
function growingHighlight(highlight: MarkdownStyle["highlight"]): MarkdownStyle["highlight"] {
  let last: { readonly code: string; readonly language: string; readonly lines: readonly string[] } | undefined;
  return (code, language) => {
    if (last === undefined || last.language !== language || !code.startsWith(last.code)) last = undefined;
    if (last !== undefined && code.length > ALWAYS_BELOW && code.length < last.code.length * (1 + GROWTH)) {
      const coloured = last.lines.slice(0, -1);
      return [...coloured, ...code.split("\n").slice(coloured.length)];
    }
    const lines = highlight(code, language);
    if (lines !== undefined) last = { code, language, lines };
    return lines;
  };
}

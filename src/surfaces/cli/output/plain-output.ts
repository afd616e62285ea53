import { printable } from "../../shared/display/printable.ts";
import type { Io } from "../../shared/process/io.ts";

/**
 * Writes the answer to stdout and notes to stderr, so that neither continues a line of the other. On a terminal it also
 * shows a temporary line, which the next output replaces.
 */
export class PlainOutput {
  readonly #io: Io;
  readonly #quiet: boolean;
  #lineIsOpen = false;
  #temporary = false;

  /** @param quiet Writes no notes. */
  constructor(io: Io, quiet: boolean) {
    this.#io = io;
    this.#quiet = quiet;
  }

  /** Text of the answer. */
  write(text: string): void {
    if (text === "") return;
    this.erase();
    this.#io.out(this.#io.outIsTerminal ? printable(text) : text);
    this.#lineIsOpen = !text.endsWith("\n");
  }

  note(text: string, style: "dim" | "yellow" = "dim"): void {
    if (this.#quiet) return;
    this.erase();
    // If stdout is a pipe or file, its line can stay open: the note goes to stderr.
    if (this.#io.outIsTerminal) {
      if (this.#lineIsOpen) this.#io.out("\n");
      this.#lineIsOpen = false;
    }
    this.#io.note(`${this.#io.style(style, printable(text))}\n`);
  }

  /** Shows a temporary line. */
  showTemporary(text: string): void {
    if (this.#quiet || this.#lineIsOpen || !this.#io.moving) return;
    this.erase();
    this.#io.note(this.#io.style("dim", text));
    this.#temporary = true;
  }

  /** Erases the temporary line. */
  erase(): void {
    if (this.#temporary) this.#io.takeBack();
    this.#temporary = false;
  }

  endLine(): void {
    if (this.#lineIsOpen) this.write("\n");
  }
}

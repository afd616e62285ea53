import { UserError } from "../../../contract/common/failure.ts";
import { openLineAsker, type LineAsker } from "./ask-lines.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { onTerminal, type Io } from "../../shared/process/io.ts";
import { printable } from "../../shared/display/printable.ts";
import { cutTo } from "../../shared/display/width.ts";
import { wrap } from "../../shared/display/wrap.ts";

export interface Choice<T> {
  readonly label: string;
  readonly value: T;
}

/** The minimum length of a list on a small screen, and the rows that the text around a list needs. */
const MIN_SHOWN = 20;
const ROWS_AROUND = 12;

/** Asks questions in a terminal, one after the other: on stderr, one line per answer. Ctrl-C and Ctrl-D exit. */
export class Questions implements Disposable {
  readonly #io: Io;
  readonly #lines: LineAsker;

  constructor(io: Io, lines: LineAsker) {
    this.#io = io;
    this.#lines = lines;
  }

  static async open(io: Io): Promise<Questions> {
    return new Questions(onTerminal(io), await openLineAsker());
  }

  /** Prints text, wrapped at the screen width. */
  report(text: string, style?: Parameters<Io["style"]>[0]): void {
    const lines = wrap(printable(text), this.#io.columns - 1);
    this.#io.note(`${(style === undefined ? lines : lines.map((line) => this.#io.style(style, line))).join("\n")}\n`);
  }

  /** Asks for a line, and trims it. */
  text(question: string): Promise<string> {
    return this.#answer(this.#lines.ask(`${question} `));
  }

  /** Asks for a line without showing it. */
  secret(question: string): Promise<string> {
    return this.#answer(this.#lines.askHidden(`${question} `));
  }

  async yes(question: string): Promise<boolean> {
    return /^y(es)?$/i.test(await this.text(`${question} [y/N]`));
  }

  /**
   * Asks for a choice: with the arrow keys or typed text, or by number or part of the name on a terminal that cannot
   * move its cursor.
   *
   * @param otherwise What happens if the user chooses nothing (Enter, Escape), e.g. "no change".
   * @param options.begin Enter selects the first choice instead, and only Escape chooses nothing.
   * @param options.at Index of the choice that is selected at first; -1: none.
   */
  async pick<T>(
    title: string,
    choices: readonly Choice<T>[],
    otherwise: string,
    options: { readonly begin?: "first"; readonly at?: number } = {},
  ): Promise<T | undefined> {
    if (this.#live) return this.#pickLive(title, choices, otherwise, options);
    let fitting = choices;
    for (;;) {
      this.#list(title, fitting);
      const typed = await this.text(`Number or part of the name (Enter: ${otherwise}):`);
      if (typed === "") return undefined;
      const picked = /^\d+$/.test(typed)
        ? fitting[Number(typed) - 1]
        : (choices.find(({ label }) => label.toLowerCase() === typed.toLowerCase()) ?? undefined);
      if (picked !== undefined) return picked.value;
      const narrower = choices.filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
      if (narrower.length === 1) return narrower[0]!.value;
      if (narrower.length === 0 || /^\d+$/.test(typed)) this.report(`No choice matches "${typed}".`);
      else fitting = narrower;
    }
  }

  /** Keys arrive one by one, and the list can be drawn again. */
  get #live(): boolean {
    return this.#io.moving && this.#io.interactive && process.stdin.isTTY;
  }

  async #pickLive<T>(
    title: string,
    choices: readonly Choice<T>[],
    otherwise: string,
    { begin, at = -1 }: { readonly begin?: "first"; readonly at?: number },
  ): Promise<T | undefined> {
    const [{ askChoice }, { ChoiceList }] = await Promise.all([import("./ask-choice.ts"), import("./choice-list.ts")]);
    // Enter must not change anything by accident, so the first row is the one that changes nothing.
    const capital = `${otherwise.slice(0, 1).toUpperCase()}${otherwise.slice(1)}`;
    const beginsFirst = begin === "first";
    const rows = beginsFirst ? choices : [{ label: capital, value: undefined }, ...choices];
    const list = new ChoiceList(
      title,
      rows.map(({ label }) => label),
      beginsFirst ? 1 : 0,
      beginsFirst ? Math.max(0, at) : at + 1,
    );
    this.#io.note("\n");
    const index = await this.#lines.withKeys(() => askChoice(this.#io, list, otherwise));
    if (index === undefined) throw exited();
    const picked = index === "left" ? undefined : rows[index];
    this.report(`${title}${title.endsWith("?") ? "" : ":"} ${picked?.label ?? otherwise}`, "dim");
    return picked?.value;
  }

  [Symbol.dispose](): void {
    this.#lines[Symbol.dispose]();
  }

  #list<T>(title: string, choices: readonly Choice<T>[]): void {
    this.report(`\n${title}`, "bold");
    const shown = Math.max(MIN_SHOWN, this.#io.rows - ROWS_AROUND);
    choices
      .slice(0, shown)
      .forEach(({ label }, index) =>
        this.report(cutTo(`  ${String(index + 1).padStart(2)}. ${printable(label)}`, this.#io.columns - 1)),
      );
    if (choices.length > shown) this.report(`      … ${choices.length - shown} more; type part of the name`, "dim");
  }

  async #answer(asked: Promise<string>): Promise<string> {
    const typed = await asked;
    if (typed === "" && this.#lines.ended) throw exited();
    return typed;
  }
}

function exited(): UserError {
  return new UserError("You exited before the last question. Your earlier answers are saved.", {
    exitCode: EXIT.interrupted,
  });
}

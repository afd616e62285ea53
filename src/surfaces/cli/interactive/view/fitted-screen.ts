import { TuiMainScreen, truncateToWidth, visibleWidth, type Terminal } from "@earendil-works/pi-tui";

/**
 * The terminal's own scrollback, in which no line is wider than the terminal: of one that is, the screen below would end the session and leave
 * the conversation in a file that others may read. A window of two columns, and a part of somebody's own, come to that.
 */
export class FittedScreen extends TuiMainScreen {
  /** What the last drawing was made of, so that only new lines are measured. */
  #last: { readonly columns: number; readonly drawn: readonly string[]; readonly fitted: readonly string[] } = {
    columns: 0,
    drawn: [],
    fitted: [],
  };

  /** @param logFolder Where the screen below writes what went wrong in it; else that is the folder for temporary files. */
  constructor(terminal: Terminal, logFolder: string) {
    super(terminal, undefined, logFolder);
  }

  override render(columns: number): string[] {
    const drawn = super.render(columns);
    const last = this.#last.columns === columns ? this.#last : undefined;
    const fitted = drawn.map((line, at) =>
      last !== undefined && last.drawn[at] === line ? last.fitted[at]! : fit(line, columns),
    );
    this.#last = { columns, drawn, fitted };
    // The screen below writes into what it is given.
    return [...fitted];
  }
}

const IMAGE = /\x1b_G|\x1b\]1337;File=/;

function fit(line: string, columns: number): string {
  return visibleWidth(line) <= columns || IMAGE.test(line) ? line : truncateToWidth(line, columns, "");
}

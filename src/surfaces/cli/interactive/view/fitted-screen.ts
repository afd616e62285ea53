import {
  stripTerminalSequences,
  TuiMainScreen,
  truncateToWidth,
  visibleWidth,
  type Terminal,
} from "@earendil-works/pi-tui";
import { MIN_COLUMNS, narrowWindow } from "./narrow-window.ts";

/**
 * A screen in the terminal's scrollback that cuts lines at the terminal's width. On a wider line, its base class
 * would end the session and leave the conversation in a file that other users may read. A two-column window or a
 * custom part can produce such a line.
 */
export class FittedScreen extends TuiMainScreen {
  /** The last drawing, so that only new lines are measured. */
  #last: { readonly columns: number; readonly drawn: readonly string[]; readonly fitted: readonly string[] } = {
    columns: 0,
    drawn: [],
    fitted: [],
  };

  /** The last lines as they are written, so that only new ones are made and compared. */
  #written: { readonly lines: readonly string[]; readonly reset: readonly string[] } = { lines: [], reset: [] };

  /** @param logFolder The base class writes its errors here instead of to the temporary folder. */
  constructor(terminal: Terminal, logFolder: string) {
    super(terminal, undefined, logFolder);
  }

  /** Draws everything again below what is on the terminal now: another program has used it meanwhile. */
  redrawBelow(): void {
    this.restoreRenderState({
      previousLines: [],
      previousWidth: 0,
      previousHeight: 0,
      cursorRow: 0,
      hardwareCursorRow: 0,
      maxLinesRendered: 0,
      previousViewportTop: 0,
    });
    this.renderNow();
  }

  override render(columns: number): readonly string[] {
    if (columns < MIN_COLUMNS) return narrowWindow.render(columns);
    const drawn = super.render(columns);
    const last = this.#last.columns === columns ? this.#last : undefined;
    const fitted = drawn.map((line, at) =>
      last !== undefined && last.drawn[at] === line ? last.fitted[at]! : fit(line, columns),
    );
    this.#last = { columns, drawn, fitted };
    return fitted;
  }

  /**
   * The base class makes each line again for each frame, and compares all with those of the frame before. Lines that
   * are the very same objects are compared at once, so a frame below a long conversation costs what it changes.
   */
  protected override applyLineResets(lines: string[]): string[] {
    const last = this.#written;
    const end = Math.min(lines.length, last.lines.length);
    let same = 0;
    while (same < end && lines[same] === last.lines[same]) same++;
    const reset = [...last.reset.slice(0, same), ...super.applyLineResets(lines.slice(same)).map(flat)];
    this.#written = { lines, reset };
    return reset;
  }
}

const IMAGE = /\x1b_G|\x1b\]1337;File=/;

function fit(line: string, columns: number): string {
  return fitsSurely(line, columns) || visibleWidth(line) <= columns || IMAGE.test(line)
    ? line
    : truncateToWidth(line, columns, "");
}

/**
 * Whether a line fits even if each unit outside ASCII takes two columns; no unit but a tab takes more. Measuring the
 * first symbol of a process takes 10 ms.
 */
function fitsSurely(line: string, columns: number): boolean {
  const text = stripTerminalSequences(line);
  if (text.length > columns || text.includes("\t")) return false;
  let most = text.length;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7e) most++;
  return most <= columns;
}

/** Reading a text joins the pieces of which it was made, once; each search in it would do that again. */
function flat(text: string): string {
  Number(text);
  return text;
}

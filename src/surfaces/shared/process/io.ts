import { styleText } from "node:util";
import { isTerminal } from "./is-terminal.ts";
import { paint } from "../display/paint.ts";
import { paintedOnly } from "../display/printable.ts";

type Style = Parameters<typeof styleText>[0];

/**
 * Where a command prints and what the other side is. Results go to `out`, everything about them to `note`. A terminal is sent nothing that it
 * would obey but colours, whoever made the text.
 */
export interface Io {
  out(text: string): void;
  note(text: string): void;
  /** Takes the note back that has no line end yet. */
  takeBack(): void;
  ring(): void;
  /** Results go to a terminal, where control characters would be obeyed. */
  readonly outIsTerminal: boolean;
  /** Notes go to a terminal that can take a line back. */
  readonly moving: boolean;
  /** Both ends are a terminal: a person can answer. */
  readonly interactive: boolean;
  readonly columns: number;
  readonly rows: number;
  /** For notes. */
  style(style: Style, text: string): string;
  /** A note in the colour of a skin; `otherwise` where the terminal has too few. */
  paint(colour: string, otherwise: Style, text: string): string;
  /** For results: plain where they go to a pipe, though notes are seen in colour. */
  styleOut(style: Style, text: string): string;
  readonly signal: AbortSignal;
}

/** The process's own streams. `NO_COLOR`, `FORCE_COLOR` and pipes are respected; results that go into a closed pipe end the program quietly, into a full disk with a word; notes are left out. */
export function processIo(signal: AbortSignal): Io {
  const [input, output, notes] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const coloured = (stream: NodeJS.WriteStream): boolean => stream.hasColors?.() === true && !process.env.NO_COLOR;
  const [colour, outColour] = [notes && coloured(process.stderr), output && coloured(process.stdout)];
  const styled =
    (really: boolean): Io["style"] =>
    (style, text) =>
      really ? styleText(style, text, { validateStream: false }) : text;
  return {
    out: output ? (text) => writeOut(paintedOnly(text)) : writeOut,
    note: notes ? (text) => writeNote(paintedOnly(text)) : writeNote,
    takeBack: () => writeNote("\r\x1b[K"),
    ring: () => writeNote("\x07"),
    outIsTerminal: output,
    moving: notes && process.env.TERM !== "dumb",
    interactive: input && notes,
    // Some terminals that programs make say 0.
    columns: (output && process.stdout.columns) || (notes && process.stderr.columns) || 80,
    rows: (output && process.stdout.rows) || (notes && process.stderr.rows) || 24,
    style: styled(colour),
    paint: (hue, otherwise, text) =>
      colour ? (paint(hue, text, process.stderr.getColorDepth()) ?? styled(true)(otherwise, text)) : text,
    styleOut: styled(outColour),
    signal,
  };
}

export function writeOut(text: string): void {
  ready("stdout").write(text);
}

export function writeNote(text: string): void {
  if (!unheard) ready("stderr").write(text);
}

/** Notes cannot be written any more; the answer still can. */
let unheard = false;

const listening = new Set<"stdout" | "stderr">();

/** The stream, from its first use on with someone who hears that the other end was closed. */
function ready(name: "stdout" | "stderr"): NodeJS.WriteStream {
  if (!listening.has(name)) {
    listening.add(name);
    process[name].on("error", (error: NodeJS.ErrnoException) => endWithStream(name, error));
  }
  return process[name];
}

/** Hears of a terminal that is gone, where somebody else writes to the streams. */
export function observeStreams(): void {
  for (const name of ["stdout", "stderr"] as const) ready(name);
  process.stdin.on("error", terminalGone).on("end", terminalGone);
}

let gone = false;

/** A closed window, a lost connection: whoever hears SIGHUP ends in order, whether or not the signal comes by itself. */
function terminalGone(): void {
  if (gone) return;
  gone = true;
  process.emit("SIGHUP", "SIGHUP");
}

/**
 * Nobody reads on, or nothing more can be kept: results that go on would be lost, so the work ends, and what is stored goes on at the next
 * start. Notes are only about the results, which go on without them.
 */
function endWithStream(name: "stdout" | "stderr", error: NodeJS.ErrnoException): void {
  if (error.code === "EIO" && process[name].isTTY) return terminalGone();
  if (name === "stderr") {
    unheard = true;
    return;
  }
  if (error.code === "EPIPE") process.exit(0);
  writeNote(`Error: The output could not be written: ${error.message}\n`);
  process.exit(1);
}

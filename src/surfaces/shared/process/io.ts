import { styleText } from "node:util";
import type { CliIo } from "../../../contract/conversation/command.ts";
import { isTerminal } from "./is-terminal.ts";
import { paint, tint } from "../display/paint.ts";
import { paintedOnly } from "../display/printable.ts";

type Style = Parameters<typeof styleText>[0];

/**
 * Where a command prints, and the kind of its terminal. Results go to `out`, messages to `note`. A terminal gets no
 * control sequences but colours, also in untrusted text.
 */
export interface Io {
  out(text: string): void;
  note(text: string): void;
  /**
   * Writes lines of results to a terminal, in place of the last `over` lines. They may contain colours and links; the
   * caller has made untrusted text in them printable.
   */
  draw(over: number, lines: readonly string[]): void;
  /** Erases the current note, which has no line end yet. */
  takeBack(): void;
  ring(): void;
  /** Results go to a terminal, which interprets control characters. */
  readonly outIsTerminal: boolean;
  /** Notes go to a terminal that can erase a line. */
  readonly moving: boolean;
  /** The user can answer questions: stdin is a terminal, and so is stderr or stdout. See `onTerminal`. */
  readonly interactive: boolean;
  readonly columns: number;
  readonly rows: number;
  /** For notes. */
  style(style: Style, text: string): string;
  /** Paints a note in a colour of the skin; `otherwise` if the terminal has too few colours. */
  paint(colour: string, otherwise: Style, text: string): string;
  /** Gives a note a background colour; `undefined` if the terminal has too few colours. */
  tint(colour: string, text: string): string | undefined;
  /** For results: plain in a pipe, even if notes have colour. */
  styleOut(style: Style, text: string): string;
  readonly signal: AbortSignal;
}

/**
 * The standard streams. Respects `NO_COLOR` and `FORCE_COLOR`. A closed pipe for results ends the program silently, a
 * full disk with an error. Notes that cannot be written are dropped.
 */
export function processIo(signal: AbortSignal): Io {
  const [input, output, notes] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  return {
    out: output ? (text) => writeOut(paintedOnly(text)) : writeOut,
    draw: (over, lines) =>
      writeOut(`${over > 0 ? `\x1b[${over}A` : ""}\r\x1b[J${lines.map((line) => `${line}\x1b[0m\n`).join("")}`),
    ...notesTo("stderr", notes),
    outIsTerminal: output,
    interactive: input && (notes || output),
    // Some pseudo-terminals report 0.
    columns: (output && process.stdout.columns) || (notes && process.stderr.columns) || 80,
    rows: (output && process.stdout.rows) || (notes && process.stderr.rows) || 24,
    styleOut: styledIf(output && coloured(process.stdout)),
    signal,
  };
}

/** Questions and their answers: notes go to stdout if the user redirected stderr from the terminal into a file. */
export function onTerminal(io: Io): Io {
  return questionStream() === process.stdout ? { ...io, ...notesTo("stdout", true) } : io;
}

/** What a plugin's command gets. It asks on stderr, so without a terminal there it cannot. */
export function cliIo(io: Io): CliIo {
  return {
    out: io.out,
    error: io.note,
    interactive: io.interactive && questionStream() === process.stderr,
    signal: io.signal,
  };
}

/** The stream on which `onTerminal` asks. */
export function questionStream(): NodeJS.WriteStream {
  return !isTerminal(2) && isTerminal(1) ? process.stdout : process.stderr;
}

function notesTo(
  name: "stdout" | "stderr",
  terminal: boolean,
): Pick<Io, "note" | "takeBack" | "ring" | "moving" | "style" | "paint" | "tint"> {
  const stream = process[name];
  const write = name === "stdout" ? writeOut : writeNote;
  const colour = terminal && coloured(stream);
  return {
    note: terminal ? (text) => write(paintedOnly(text)) : write,
    takeBack: () => write("\r\x1b[K"),
    ring: () => write("\x07"),
    moving: terminal && process.env.TERM !== "dumb",
    style: styledIf(colour),
    paint: (hue, otherwise, text) =>
      colour ? (paint(hue, text, stream.getColorDepth()) ?? styledIf(true)(otherwise, text)) : text,
    tint: (hue, text) => (colour ? tint(hue, text, stream.getColorDepth()) : undefined),
  };
}

function coloured(stream: NodeJS.WriteStream): boolean {
  return stream.hasColors?.() === true && !process.env.NO_COLOR;
}

function styledIf(really: boolean): Io["style"] {
  return (style, text) => (really ? styleText(style, text, { validateStream: false }) : text);
}

export function writeOut(text: string): void {
  ready("stdout").write(text);
}

export function writeNote(text: string): void {
  if (!notesLost) ready("stderr").write(text);
}

/** Notes can no longer be written; results still can. */
let notesLost = false;

const observed = new Set<"stdout" | "stderr">();

/** The stream, with an error handler from its first use. */
function ready(name: "stdout" | "stderr"): NodeJS.WriteStream {
  if (!observed.has(name)) {
    observed.add(name);
    process[name].on("error", (error: NodeJS.ErrnoException) => endWithStream(name, error));
  }
  return process[name];
}

/** Handles a closed terminal when other code writes to the streams. */
export function observeStreams(): void {
  for (const name of ["stdout", "stderr"] as const) ready(name);
  process.stdin.on("error", terminalGone).on("end", terminalGone);
}

let gone = false;

/**
 * A closed window or lost connection: emits SIGHUP, so that handlers end the program cleanly even if the signal does
 * not arrive.
 */
function terminalGone(): void {
  if (gone) return;
  gone = true;
  process.emit("SIGHUP", "SIGHUP");
}

/**
 * A closed pipe or full disk would lose further results, so the program ends; the next start resumes the stored turn.
 * Without notes the program continues.
 */
function endWithStream(name: "stdout" | "stderr", error: NodeJS.ErrnoException): void {
  if (error.code === "EIO" && process[name].isTTY) return terminalGone();
  if (name === "stderr") {
    notesLost = true;
    return;
  }
  if (error.code === "EPIPE") process.exit(0);
  writeNote(`Error: Cannot write the output: ${error.message}\n`);
  process.exit(1);
}

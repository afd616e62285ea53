import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Where a command prints and what the other side is. Results go to `out`, everything about them to `note`. */
export interface Io {
  out(text: string): void;
  note(text: string): void;
  /** A person sees colours here. */
  readonly colour: boolean;
  /** Results go to a terminal, where control characters would be obeyed. */
  readonly outIsTerminal: boolean;
  /** Notes go to a terminal that can take a line back. */
  readonly moving: boolean;
  /** Both ends are a terminal: a person can answer. */
  readonly interactive: boolean;
  readonly columns: number;
  style(style: Style, text: string): string;
  readonly signal: AbortSignal;
}

/** The process's own streams. `NO_COLOR`, `FORCE_COLOR` and pipes are respected; a closed pipe ends the program quietly. */
export function processIo(signal: AbortSignal): Io {
  process.stdout.on("error", endQuietly);
  process.stderr.on("error", endQuietly);
  const colour = process.stderr.hasColors?.() === true && !process.env.NO_COLOR;
  return {
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    colour,
    outIsTerminal: process.stdout.isTTY === true,
    moving: process.stderr.isTTY === true && process.env.TERM !== "dumb",
    interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    columns: process.stdout.columns ?? 80,
    style: (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text),
    signal,
  };
}

function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}

import { width } from "./width.ts";
import { wrap } from "./wrap.ts";
import type { Io } from "../process/io.ts";

const MIN = 20;

/** A line among the results whose text goes on below its own beginning, right of `lead`. A pipe gets it whole, and so does a screen with no room for that. */
export function hanging(io: Pick<Io, "outIsTerminal" | "columns">, lead: string, text: string): string {
  const room = io.columns - width(lead);
  const lines = io.outIsTerminal && room >= MIN ? wrap(text, room) : [text];
  return `${lead}${lines.join(`\n${" ".repeat(width(lead))}`)}\n`;
}

import { width } from "./width.ts";
import { wrap } from "./wrap.ts";
import type { Io } from "../process/io.ts";

const MIN = 20;

/** A line with a hanging indent: wrapped text aligns behind `lead`. Does not wrap for a pipe or a narrow screen. */
export function hanging(io: Pick<Io, "outIsTerminal" | "columns">, lead: string, text: string): string {
  const room = io.columns - width(lead);
  const lines = io.outIsTerminal && room >= MIN ? wrap(text, room) : [text];
  return `${lead}${lines.join(`\n${" ".repeat(width(lead))}`)}\n`;
}

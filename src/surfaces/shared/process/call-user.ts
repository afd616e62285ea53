import { oneLine } from "../display/printable.ts";
import { cutTo } from "../display/width.ts";

const MAX_COLUMNS = 120;

/**
 * Calls the user of a terminal to a question: the bell, a desktop notification (OSC 9 of iTerm2, WezTerm, Windows
 * Terminal and kitty; OSC 777 of VTE, foot and urxvt), and the window's title until the result is disposed. Terminals
 * ignore what they do not know.
 */
export function callUser(write: (data: string) => void, what: string): Disposable {
  const { TERM: term } = process.env;
  // These show the sequences as text.
  if (term === undefined || term === "" || term === "dumb" || term === "linux") {
    write("\x07");
    return { [Symbol.dispose]: () => {} };
  }
  // Semicolons separate the fields of OSC 777.
  const text = cutTo(oneLine(what).replaceAll(";", ","), MAX_COLUMNS);
  write(`\x07\x1b]9;Hermes: ${text}\x07\x1b]777;notify;Hermes;${text}\x07\x1b[22;2t\x1b]2;⚠ ${text}\x07`);
  // A terminal without a stack of titles keeps the last one.
  return { [Symbol.dispose]: () => write("\x1b]2;hermes\x07\x1b[23;2t") };
}

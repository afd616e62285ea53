import { questionStream, type Io } from "../../shared/process/io.ts";
import type { ChoiceList, KeyPress, ListLine } from "./choice-list.ts";

const HIDE = "\x1b[?25l";
const SHOW = "\x1b[?25h";

/**
 * Shows a list on the terminal and reads keys until the user selects a row. Erases the list afterwards.
 *
 * @param leave What Escape does, after "Esc".
 * @returns the index of the row, `left` after Escape, or `ended` after Ctrl-C, Ctrl-D or the end of input.
 */
export async function askChoice(
  io: Pick<Io, "style" | "columns" | "rows">,
  list: ChoiceList,
  leave: string,
): Promise<number | "left" | "ended"> {
  const { emitKeypressEvents } = await import("node:readline");
  const { stdin } = process;
  const out = questionStream();
  let drawn = 0;
  const erase = (): string => (drawn === 0 ? "\r\x1b[J" : `\x1b[${drawn}A\r\x1b[J`);
  const draw = (): void => {
    // A resized window counts at once.
    const lines = list.lines((out.columns || io.columns) - 1, out.rows || io.rows, leave);
    out.write(`${erase()}${lines.map((line) => `${painted(io, line)}\n`).join("")}`);
    drawn = lines.length;
  };
  const { promise, resolve } = Promise.withResolvers<number | "left" | "ended">();
  const press = (_text: string | undefined, key: KeyPress): void => {
    if (key.ctrl === true && (key.name === "c" || key.name === "d")) return resolve("ended");
    const result = list.press(key);
    if (result === undefined) draw();
    else resolve(result);
  };
  const end = (): void => resolve("ended");
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on("keypress", press).once("end", end).resume();
  out.on("resize", draw);
  out.write(HIDE);
  draw();
  try {
    return await promise;
  } finally {
    stdin.off("keypress", press).off("end", end);
    out.off("resize", draw);
    stdin.setRawMode(false);
    stdin.pause();
    out.write(`${erase()}${SHOW}`);
  }
}

function painted(io: Pick<Io, "style">, { text, style }: ListLine): string {
  if (style === undefined) return text;
  return io.style(style === "here" ? ["bold", "cyan"] : style === "title" ? "bold" : "dim", text);
}

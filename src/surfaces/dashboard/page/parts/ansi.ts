import { printable } from "../../../shared/display/printable.ts";

/** Text in one style. Colours are 0–15 of the palette, or `#rrggbb`. */
export interface AnsiPiece {
  readonly text: string;
  readonly color?: number | string;
  readonly ground?: number | string;
  /** `bold`, `dim`, `italic`, `underline`, `strike`. */
  readonly marks: readonly string[];
}

interface Style {
  color?: number | string;
  ground?: number | string;
  inverse?: boolean;
  readonly marks: Set<string>;
}

/** Colours and styles; then other sequences, which a page cannot show: titles, links, moves of the cursor. */
// oxlint-disable-next-line no-control-regex -- finding control sequences is its purpose
const SEQUENCE =
  /\u001b\[([\d;:]*)m|\u001b\[[\d;?<=>]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]/g;

const MARKS: { readonly [code: number]: string } = { 1: "bold", 2: "dim", 3: "italic", 4: "underline", 9: "strike" };
const ENDS: { readonly [code: number]: readonly string[] } = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  29: ["strike"],
};

/** The lines of a terminal's output with their colours. What a carriage return overwrote is left out. */
export function ansiLines(output: string): readonly (readonly AnsiPiece[])[] {
  const style: Style = { marks: new Set() };
  return output
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => lineOf(line, style));
}

function lineOf(line: string, style: Style): readonly AnsiPiece[] {
  let pieces: AnsiPiece[] = [];
  const add = (text: string): void => {
    const parts = text.split("\r");
    if (parts.length > 1 && parts.slice(1).some((part) => part !== "")) pieces = [];
    const shown = printable(parts.findLast((part) => part !== "") ?? "");
    if (shown !== "") pieces.push(pieceOf(shown, style));
  };
  let at = 0;
  for (const found of line.matchAll(SEQUENCE)) {
    add(line.slice(at, found.index));
    at = found.index + found[0].length;
    if (found[1] !== undefined) change(style, found[1]);
  }
  add(line.slice(at));
  return pieces;
}

function pieceOf(text: string, { color, ground, inverse, marks }: Style): AnsiPiece {
  return inverse === true
    ? { text, color: ground ?? 0, ground: color ?? 7, marks: [...marks] }
    : { text, color, ground, marks: [...marks] };
}

function change(style: Style, codes: string): void {
  const numbers = codes.split(/[;:]/).map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 0) {
      style.color = style.ground = style.inverse = undefined;
      style.marks.clear();
    } else if (MARKS[code] !== undefined) style.marks.add(MARKS[code]);
    else if (ENDS[code] !== undefined) for (const mark of ENDS[code]) style.marks.delete(mark);
    else if (code === 7 || code === 27) style.inverse = code === 7;
    else if (code === 39) style.color = undefined;
    else if (code === 49) style.ground = undefined;
    else if (code === 38 || code === 48) {
      const [color, used] = extended(numbers.slice(at + 1));
      if (code === 38) style.color = color;
      else style.ground = color;
      at += used;
    } else if (code >= 30 && code <= 37) style.color = code - 30;
    else if (code >= 90 && code <= 97) style.color = code - 82;
    else if (code >= 40 && code <= 47) style.ground = code - 40;
    else if (code >= 100 && code <= 107) style.ground = code - 92;
  }
}

/** `5;N` of 256 colours, or `2;R;G;B`, and how many numbers that takes. */
function extended([kind, first = 0, second = 0, third = 0]: readonly number[]): readonly [number | string, number] {
  if (kind === 2) return [hex(first, second, third), 4];
  if (first < 16) return [first, 2];
  if (first >= 232) return [hex(8 + (first - 232) * 10, 8 + (first - 232) * 10, 8 + (first - 232) * 10), 2];
  const level = (steps: number): number => (steps === 0 ? 0 : 55 + steps * 40);
  const index = first - 16;
  return [hex(level(Math.floor(index / 36)), level(Math.floor(index / 6) % 6), level(index % 6)), 2];
}

function hex(...levels: readonly number[]): string {
  return `#${levels.map((level) => Math.min(255, level).toString(16).padStart(2, "0")).join("")}`;
}

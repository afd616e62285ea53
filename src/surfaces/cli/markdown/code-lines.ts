import { visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { MarkdownStyle } from "./markdown-style.ts";

const INDENT = "  ";
/** A deeper indentation leaves too little room for the code. */
const INDENT_SHARE = 0.5;
/** Continued lines begin deeper, so that they differ from lines of the code. */
const CONTINUED = "  ";

/** A code block: the name of its language, then its lines. Lines that do not fit continue at their indentation. */
export function codeLines(code: string, language: string, columns: number, style: MarkdownStyle): string[] {
  const room = Math.max(1, columns - INDENT.length);
  const lines = style.highlight(code, language) ?? code.split("\n");
  const name = /^\S+/.exec(language)?.[0];
  return [
    ...(name === undefined ? [] : [style.dim(`── ${name}`)]),
    ...lines.flatMap((line) => wrapCode(line, room)).map((line) => `${INDENT}${line}`),
  ];
}

/** Wraps a line of code, with colours or without. */
export function wrapCode(line: string, columns: number): readonly string[] {
  if (visibleWidth(line) <= columns) return [line];
  const [, colours = "", indent = ""] = INDENTED.exec(line) ?? [];
  const deeper = `${indent}${CONTINUED}`;
  if (deeper.length > columns * INDENT_SHARE) return wrapTextWithAnsi(line, columns);
  const [first = "", ...rest] = wrapTextWithAnsi(
    `${colours}${line.slice(colours.length + indent.length)}`,
    columns - deeper.length,
  );
  return [`${indent}${first}`, ...rest.map((part) => `${deeper}${part}`)];
}

// oxlint-disable-next-line no-control-regex -- the colours of the code
const INDENTED = /^((?:\x1b\[[\d;]*m)*)( *)/;

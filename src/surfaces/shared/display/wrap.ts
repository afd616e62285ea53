import { cutTo, width } from "./width.ts";

/** Wraps a text between words, at a number of columns. Wrapped lines keep the indent of their first line. */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((paragraph) => {
    const indent = /^ */.exec(paragraph)?.[0] ?? "";
    const lines: string[] = [];
    let line: string | undefined;
    for (const word of paragraph.trimStart().split(" ")) {
      const longer = line === undefined ? `${indent}${word}` : `${line} ${word}`;
      if (line !== undefined && width(longer) > columns) {
        lines.push(line);
        line = `${indent}${word}`;
      } else line = longer;
    }
    return [...lines, line ?? ""];
  });
}

/** Wraps to a maximum number of lines; `…` replaces the rest. */
export function wrapTo(text: string, columns: number, lines: number): readonly string[] {
  const all = wrap(text, columns).map((line) => cutTo(line, columns));
  return all.length <= lines ? all : [...all.slice(0, lines - 1), cutTo(`${all[lines - 1] ?? ""} …`, columns)];
}

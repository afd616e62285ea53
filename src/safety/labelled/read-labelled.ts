import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export type Label = "hardline" | "dangerous" | "safe";

export interface Labelled {
  /** File and line. */
  readonly id: string;
  readonly command: string;
  readonly label: Label;
  readonly category: string;
}

/**
 * The tables beside this file: `## class`, then one command a line. The file's name begins with the label. Signs stand for what a line of a
 * table cannot hold: ⏎ a line end, ␍ a carriage return, ␛ an escape, ␈ a backspace, ␇ a bell, ‹200b› the character of that code.
 */
export function readLabelled(): readonly Labelled[] {
  return globSync("*.txt", { cwd: import.meta.dirname }).sort().flatMap(readTable);
}

function readTable(file: string): readonly Labelled[] {
  const label = /^[a-z]+/.exec(file)![0] as Label;
  let category = "";
  return readFileSync(join(import.meta.dirname, file), "utf8").split("\n").flatMap((line, index) => {
    if (line.startsWith("## ")) category = line.slice(3);
    return line === "" || line.startsWith("## ") ? [] : [{ id: `${basename(file, ".txt")}:${index + 1}`, command: writtenOut(line), label, category }];
  });
}

const SIGNS: Readonly<Record<string, string>> = { "⏎": "\n", "␍": "\r", "␛": "\u001b", "␈": "\b", "␇": "\u0007" };

function writtenOut(line: string): string {
  return line.replace(/‹([0-9a-f]{2,6})›/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))).replace(/[⏎␍␛␈␇]/g, (sign) => SIGNS[sign]!);
}

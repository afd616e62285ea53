import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const RETAINED = 500;

/** The input of this and earlier sessions. */
export interface InputHistory {
  /** Oldest first. */
  readonly lines: readonly string[];
  add(line: string): Promise<void>;
}

/** The input history, in `.hermes_history` of the home, mode 0600, limited in length. */
export async function openHistory(home: string): Promise<InputHistory> {
  const file = join(home, ".hermes_history");
  const lines = (await readFile(file, "utf8").catch(() => ""))
    .split("\n")
    .filter((line) => line !== "")
    .map(decode);
  if (lines.length > 2 * RETAINED) await writeFile(file, lines.slice(-RETAINED).map(encode).join(""), { mode: 0o600 });
  const retained = lines.slice(-RETAINED);
  return {
    lines: retained,
    async add(line) {
      retained.push(line);
      await appendFile(file, encode(line), { mode: 0o600 });
    },
  };
}

function encode(line: string): string {
  return `${JSON.stringify(line)}\n`;
}

function decode(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : line;
  } catch {
    return line; // written by the original: plain text
  }
}

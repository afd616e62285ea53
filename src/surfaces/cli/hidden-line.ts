import type { Interface } from "node:readline/promises";

/** Asks for a line without showing what is typed. */
export async function hiddenLine(lines: Interface, question: string, signal?: AbortSignal): Promise<string> {
  const writer = lines as unknown as { _writeToOutput?: (text: string) => void };
  process.stderr.write(question);
  writer._writeToOutput = () => {};
  try {
    return (await (signal === undefined ? lines.question("") : lines.question("", { signal }))).trim();
  } finally {
    delete writer._writeToOutput;
    process.stderr.write("\n");
  }
}

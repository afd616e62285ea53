import type { Interface } from "node:readline/promises";

/** Asks for a line without showing what is typed. */
export async function hiddenLine(lines: Interface, question: string): Promise<string> {
  const writer = lines as unknown as { _writeToOutput?: (text: string) => void };
  process.stderr.write(question);
  writer._writeToOutput = () => {};
  try {
    return (await lines.question("")).trim();
  } finally {
    delete writer._writeToOutput;
    process.stderr.write("\n");
  }
}

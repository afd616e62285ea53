import type { Interface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Reads a line without showing it: discards the line editor's output until Enter. */
export async function hiddenLine(lines: Interface, question: string, signal?: AbortSignal): Promise<string> {
  const editor = lines as unknown as { output: NodeJS.WritableStream };
  const { output } = editor;
  output.write(question);
  editor.output = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return (await (signal === undefined ? lines.question("") : lines.question("", { signal }))).trim();
  } finally {
    editor.output = output;
    output.write("\n");
  }
}

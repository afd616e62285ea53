import type { Interface } from "node:readline/promises";
import { questionStream } from "../../shared/process/io.ts";

/** Asks questions on the terminal, one line each. At the end of input, this and every later answer is empty. */
export interface LineAsker extends Disposable {
  /** The input has ended. */
  readonly ended: boolean;
  ask(question: string): Promise<string>;
  /** Asks without showing the input. */
  askHidden(question: string): Promise<string>;
}

export async function openLineAsker(): Promise<LineAsker> {
  const { createInterface } = await import("node:readline/promises");
  const lines: Interface = createInterface({ input: process.stdin, output: questionStream() });
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  const orNothing = async (asking: Promise<string>): Promise<string> => {
    try {
      return (await asking).trim();
    } catch {
      return ""; // The input ended: an empty answer, which is never an approval.
    }
  };
  return {
    get ended() {
      return closed.signal.aborted;
    },
    ask: async (question) =>
      closed.signal.aborted ? "" : orNothing(lines.question(question, { signal: closed.signal })),
    async askHidden(question) {
      const { hiddenLine } = await import("./hidden-line.ts");
      return closed.signal.aborted ? "" : orNothing(hiddenLine(lines, question, closed.signal));
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

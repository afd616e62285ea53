import type { Interface } from "node:readline/promises";

/** Questions on the terminal, one line each. End of input answers nothing, also to whatever is asked after it. */
export interface LineAsker extends Disposable {
  /** The input is at its end. */
  readonly ended: boolean;
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askHidden(question: string): Promise<string>;
}

export async function openLineAsker(): Promise<LineAsker> {
  const { createInterface } = await import("node:readline/promises");
  const lines: Interface = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  const orNothing = async (asking: Promise<string>): Promise<string> => {
    try {
      return (await asking).trim();
    } catch {
      return ""; // The input ended: silence is an answer, and never a yes.
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

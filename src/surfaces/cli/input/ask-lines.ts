import type { Interface } from "node:readline/promises";
import { questionStream } from "../../shared/process/io.ts";

/** Asks questions on the terminal, one line each. At the end of input, this and every later answer is empty. */
export interface LineAsker extends Disposable {
  /** The input has ended. */
  readonly ended: boolean;
  ask(question: string): Promise<string>;
  /** Asks without showing the input. */
  askHidden(question: string): Promise<string>;
  /**
   * Lets `read` use the keyboard. Its result `ended` means that the user exited.
   */
  withKeys<T>(read: () => Promise<T | "ended">): Promise<T | undefined>;
}

export async function openLineAsker(): Promise<LineAsker> {
  const { createInterface } = await import("node:readline/promises");
  if (!process.stdin.isTTY) return pipedLines(createInterface({ input: process.stdin }));
  const closed = new AbortController();
  /** Open only while lines are read: it would take the keys of a list. */
  let lines: Interface | undefined;
  const opened = (): Interface => {
    if (lines !== undefined) return lines;
    const now = createInterface({ input: process.stdin, output: questionStream() });
    now.once("close", () => {
      if (lines === now) closed.abort();
    });
    return (lines = now);
  };
  const close = (): void => {
    const before = lines;
    lines = undefined;
    before?.close();
  };
  opened();
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
      closed.signal.aborted ? "" : orNothing(opened().question(question, { signal: closed.signal })),
    async askHidden(question) {
      const { hiddenLine } = await import("./hidden-line.ts");
      return closed.signal.aborted ? "" : orNothing(hiddenLine(opened(), question, closed.signal));
    },
    async withKeys(read) {
      if (closed.signal.aborted) return undefined;
      close();
      const result = await read();
      if (result !== "ended") return result;
      closed.abort();
      return undefined;
    },
    [Symbol.dispose]() {
      closed.abort();
      close();
    },
  };
}

/** Answers from a pipe, one line each. All of them may arrive before the first question. */
function pipedLines(lines: Interface): LineAsker {
  const answers = lines[Symbol.asyncIterator]();
  let ended = false;
  const ask = async (question: string): Promise<string> => {
    questionStream().write(question);
    const { done, value } = await answers.next();
    ended ||= done === true;
    questionStream().write("\n");
    return typeof value === "string" ? value.trim() : "";
  };
  return {
    get ended() {
      return ended;
    },
    ask,
    askHidden: ask,
    withKeys: () => Promise.reject(new Error("A pipe has no keys.")),
    [Symbol.dispose]: () => lines.close(),
  };
}

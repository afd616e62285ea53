import { parseExact, type JsonObject, type Process } from "hermes-agent/plugin";

/** Maximum length of a line from the runner; the longest ones are calls. */
const MAX_CHARS = 32_000_000;

export interface RetainedStream {
  readonly head: string;
  readonly tail: string;
  readonly total: number;
  readonly omitted: number;
}

export interface ScriptEnd {
  /** Negative: the signal that ended it. */
  readonly code: number;
  readonly out: RetainedStream;
  readonly err: RetainedStream;
}

export interface ScriptReport {
  begun(): void;
  /** A line that the script wrote to the call channel, not validated. */
  call(line: string): void;
  progress(text: string): void;
  end(end: ScriptEnd): void;
}

/** Extracts the runner's messages from the process output. Lines without its secret word come from something else. */
export function listenToRunner(process: Process, word: string, message: ScriptReport): Disposable {
  let rest = "";
  return process.onOutput((text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    if (rest.length > MAX_CHARS) rest = "";
    for (const line of lines) {
      const output = line.startsWith(`${word} `) ? parsed(line.slice(word.length + 1)) : undefined;
      if (output?.["kind"] === "call") message.call(String(output["line"]));
      else if (output?.["kind"] === "begun") message.begun();
      else if (output?.["kind"] === "progress") message.progress(String(output["text"]));
      else if (output?.["kind"] === "end") message.end(output as unknown as ScriptEnd);
    }
  });
}

export function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = parseExact(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined; // Not a line of the runner.
  }
}

import { parseExact, type JsonObject, type Process } from "hermes-agent/plugin";

/** Of the longest call, as the runner tells it. */
const MOST_CHARS = 32_000_000;

export interface StreamKept {
  readonly head: string;
  readonly tail: string;
  readonly total: number;
  readonly omitted: number;
}

export interface ScriptEnd {
  /** Negative: the signal that ended it. */
  readonly code: number;
  readonly out: StreamKept;
  readonly err: StreamKept;
}

export interface ScriptTold {
  begun(): void;
  /** A line that the script wrote where calls are taken; whatever it is. */
  call(line: string): void;
  progress(text: string): void;
  end(end: ScriptEnd): void;
}

/** Reads what the runner says out of what its process writes. Lines without its word are not its own. */
export function listenToRunner(process: Process, word: string, told: ScriptTold): Disposable {
  let rest = "";
  return process.onOutput((text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    if (rest.length > MOST_CHARS) rest = "";
    for (const line of lines) {
      const said = line.startsWith(`${word} `) ? parsed(line.slice(word.length + 1)) : undefined;
      if (said?.["kind"] === "call") told.call(String(said["line"]));
      else if (said?.["kind"] === "begun") told.begun();
      else if (said?.["kind"] === "progress") told.progress(String(said["text"]));
      else if (said?.["kind"] === "end") told.end(said as unknown as ScriptEnd);
    }
  });
}

export function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = parseExact(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined; // Somebody else's words.
  }
}

import { StringDecoder } from "node:string_decoder";
import type { RunResult } from "../../contract/providers/terminal.ts";
import { BoundedOutput } from "./bounded-output.ts";
import { SpillFile } from "./spill-file.ts";

/** Progress beyond this much is not shown. */
const MAX_PROGRESS_BYTES = 1_000_000;
/** The shell's own words for commands that were ended under it: one word, or a line that names the process. */
const ENDED =
  /(?:(?<=^|\n)[^\n]*\bbash: line \d+: +\d+ (?:Terminated|Killed)\b[^\n]*\n?)+$|(?:Terminated|Killed)(?:: \d+)?\s*$/;

/**
 * Collects a command's output: keeps head and tail, reports progress, and writes all of it to a file once it is too
 * long.
 */
export class RunOutput {
  readonly #output: BoundedOutput;
  readonly #spill: SpillFile | undefined;
  readonly #progress: ((bytes: Uint8Array) => void) | undefined;

  constructor(options: {
    readonly maxBytes: number;
    readonly spill?: { readonly path: string; readonly maxBytes: number };
    readonly onOutput?: (text: string) => void;
  }) {
    this.#output = new BoundedOutput(options.maxBytes * 0.4, options.maxBytes * 0.6);
    this.#spill =
      options.spill === undefined
        ? undefined
        : new SpillFile(options.spill.path, options.spill.maxBytes, options.maxBytes);
    this.#progress = options.onOutput === undefined ? undefined : progressOf(options.onOutput);
  }

  readonly push = (bytes: Uint8Array): void => {
    this.#output.push(bytes);
    this.#spill?.push(bytes);
    this.#progress?.(bytes);
  };

  /** @param stopped We ended it: then the shell's last word about that is left out. */
  result(stopped: boolean): Pick<RunResult, "output" | "omittedBytes" | "spilled"> {
    const { head, tail, omittedBytes } = this.#output.saved();
    const spilled = this.#spill?.close();
    const total = this.#output.totalBytes;
    const rest =
      spilled === undefined
        ? ""
        : `; ${spilled.bytes < total ? `the first ${spilled.bytes} bytes` : "all of it"}: ${spilled.path}`;
    const notice =
      omittedBytes === 0
        ? ""
        : `\n\n[OUTPUT TRUNCATED - ${omittedBytes} bytes omitted out of ${total} total${rest}]\n\n`;
    const output = head + notice + tail;
    return {
      output: stopped ? output.replace(ENDED, "") : output,
      omittedBytes,
      spilled,
    };
  }
}

function progressOf(report: (text: string) => void): (bytes: Uint8Array) => void {
  const decoder = new StringDecoder("utf8");
  let message = 0;
  return (bytes) => {
    if (message > MAX_PROGRESS_BYTES) return;
    message += bytes.length;
    const text = decoder.write(Buffer.from(bytes));
    if (text !== "") report(text);
  };
}

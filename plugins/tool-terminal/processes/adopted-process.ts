import { close, constants, open, write } from "node:fs";
import { promisify } from "node:util";
import type { Process } from "hermes-agent/plugin";
import { endMachineTree } from "./machine-processes.ts";
import { readLog } from "./output-log.ts";
import { isAlive } from "./process-identity.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** Polling interval for a process that is not our child. */
const LOOK_MS = 250;
const GRACE_MS = 2_000;

/** A process that outlived its terminal, or was found ended: known only by its table row and its log. */
export class AdoptedProcess implements Process {
  readonly pid: number | undefined;
  readonly ended: Process["ended"];
  readonly #row: ProcessRow;
  readonly #table: ProcessTable;

  /** @param known Its end as reported by its own shell, if that still exists. */
  constructor(row: ProcessRow, table: ProcessTable, known?: Process["ended"]) {
    this.pid = row.pid ?? undefined;
    this.#row = row;
    this.#table = table;
    const seen = this.#watch();
    this.ended = known === undefined ? seen : Promise.race([known, seen]);
  }

  output(): { readonly text: string; readonly droppedBytes: number } {
    return { text: readLog(this.#table.logFile(this.#row.id)), droppedBytes: 0 };
  }

  /** Writes to its input pipe, which its supervisor keeps open. */
  async write(text: string): Promise<void> {
    const identity = this.#row.identity;
    if (identity === null || !isAlive(identity)) throw new Error("Cannot write to the process: it has ended.");
    let descriptor: number;
    try {
      descriptor = await promisify(open)(`/proc/${identity.pid}/fd/0`, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (cause) {
      throw new Error("Cannot write to the process: it is not a child of this agent.", { cause });
    }
    const bytes = Buffer.from(text);
    try {
      const { bytesWritten } = await promisify(write)(descriptor, bytes);
      if (bytesWritten < bytes.length)
        throw new Error(
          `The process accepted ${bytesWritten} of ${bytes.length} bytes: its pipe is full until it reads.`,
        );
    } finally {
      await promisify(close)(descriptor);
    }
  }

  async end(): Promise<void> {
    throw new Error("Cannot close the input of a process that outlives its agent.");
  }

  async kill(graceMs = GRACE_MS): Promise<void> {
    const identity = this.#row.identity;
    if (identity !== null) await endMachineTree(identity, graceMs);
  }

  onOutput(): Disposable {
    return { [Symbol.dispose]() {} };
  }

  async #watch(): Promise<Awaited<Process["ended"]>> {
    const { identity, end } = this.#row;
    if (end !== null)
      return {
        endedBy: end.reason === "lost" ? "lost" : "exit",
        exitCode: end.exitCode ?? undefined,
      };
    if (identity === null) return { endedBy: "lost" };
    while (isAlive(identity)) await after(LOOK_MS); // There is no exit event for a process that is not our child.
    const left = this.#table.left(this.#row.id);
    return { endedBy: "exit", exitCode: left?.exitCode };
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

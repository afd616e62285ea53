import { randomBytes } from "node:crypto";
import type { Logger } from "hermes-agent/plugin";
import { identityOf, type ProcessIdentity } from "./process-identity.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import type { TrackedProcess } from "./tracked-process.ts";
import { definedFields } from "hermes-agent/plugin";

/** Writes down what is known of processes, for everybody else of this person. Where that cannot be done the processes go on; only others cannot see them. */
export class ProcessRows {
  readonly #log: Logger;
  readonly #table: ProcessTable;
  readonly #mask: (text: string) => string;
  #self: ProcessIdentity | undefined;
  #warned = false;

  constructor(ports: { readonly log: Logger; readonly table: ProcessTable; mask(text: string): string }) {
    this.#log = ports.log;
    this.#table = ports.table;
    this.#mask = ports.mask;
  }

  /** The id of one that is about to start, and the file for its exit code. */
  next(): { readonly id: string; readonly exitFile?: string } {
    const id = `proc_${randomBytes(6).toString("hex")}`;
    try {
      return { id, exitFile: this.#table.exitFile(id) };
    } catch (cause) {
      this.warn(cause);
      return { id };
    }
  }

  of(entry: TrackedProcess): ProcessRow {
    const { id, cwd, backend, sessionId, taskId, identity, startedAt, kept: saved } = entry;
    this.#self ??= identityOf(process.pid) ?? { pid: process.pid, born: "" };
    return {
      id,
      command: this.#mask(entry.command),
      cwd,
      backend,
      sessionId,
      taskId,
      pid: entry.process.pid ?? null,
      identity,
      owner: this.#self,
      startedAt,
      kept: saved,
      ...definedFields({ grip: entry.grip, ports: entry.ports }),
      end: entry.end ?? null,
      notify: entry.notifyOnComplete && !entry.told ? { foreign: entry.foreign } : null,
      refusal: null,
    };
  }

  /** @param refusal Why what was asked of it was not done. */
  write(entry: TrackedProcess, refusal?: string): void {
    try {
      this.#table.write({ ...this.of(entry), ...definedFields({ refusal }) });
    } catch (cause) {
      this.warn(cause);
    }
  }

  /** Once. */
  warn(cause: unknown): void {
    if (!this.#warned)
      this.#log.warning("Background processes cannot be written down; `hermes ps` may not show them all.", { cause });
    this.#warned = true;
  }
}

import { randomBytes } from "node:crypto";
import type { Logger } from "hermes-agent/plugin";
import { identityOf, type ProcessIdentity } from "./process-identity.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import type { TrackedProcess } from "./tracked-process.ts";
import { definedFields } from "hermes-agent/plugin";

/**
 * Records processes for the user's other programs. If that fails, the processes still run, but others cannot see them.
 */
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

  /** The ID of a process that is about to start, and the file for its exit code. */
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
    const { id, cwd, backend, sessionId, taskId, identity, startedAt, persistent } = entry;
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
      kept: persistent,
      ...definedFields({ grip: entry.grip, ports: entry.ports }),
      end: entry.end ?? null,
      notify: entry.notifyOnComplete && !entry.reported ? { foreign: entry.untrusted } : null,
      refusal: null,
    };
  }

  /** @param refusal Why a request was not carried out. */
  write(entry: TrackedProcess, refusal?: string): void {
    try {
      this.#table.write({ ...this.of(entry), ...definedFields({ refusal }) });
    } catch (cause) {
      this.warn(cause);
    }
  }

  /** Warns once. */
  warn(cause: unknown): void {
    if (!this.#warned)
      this.#log.warning("Cannot record background processes; `hermes ps` may not show all of them.", { cause });
    this.#warned = true;
  }
}

import { closeSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import {
  TerminalUnavailable,
  type DetachedHandle,
  type Process,
  type Terminal,
  type TerminalBackend,
} from "hermes-agent/plugin";
import { DetachedProcess, type DetachedState } from "hermes-agent/terminal";
import { readLog } from "./output-log.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";

/** Polling interval for a process without an exit event. */
const LOOK_MS = 5_000;
const GRACE_MS = 2_000;

/** A connection to the environment of a detached process. */
export interface Visit extends AsyncDisposable {
  readonly terminal: Terminal;
  readonly detached: DetachedProcess;
}

type Left = Pick<ProcessRow, "id" | "backend" | "taskId"> & { readonly grip: DetachedHandle };
/** Rejects with `TerminalUnavailable` when the environment is unreachable. */
export type Reach = (row: Left, signal?: AbortSignal) => Promise<Visit>;

/** @param use Returns the backend with that ID. @param signal Ends all polling. */
export function reachThrough(use: (backend: string) => Promise<TerminalBackend>, signal: AbortSignal): Reach {
  return async ({ backend: id, taskId, grip }, until = signal) => {
    const terminal = await (await use(id)).open({ key: taskId, visit: grip.where }, until);
    return {
      terminal,
      detached: new DetachedProcess(terminal, grip, until),
      [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
    };
  };
}

/**
 * State of a process in a remote environment. Copies its newest output to our log, and cleans up its environment if it
 * has ended. Rejects like `reach`.
 */
export async function lookAt({ terminal, detached }: Visit, row: Left, table: ProcessTable): Promise<DetachedState> {
  const state = await detached.state();
  if (state.kind !== "gone") await fetchLog(terminal, detached.log, row.id, table);
  if (state.kind === "ended") await detached.forget();
  return state;
}

/** A process that was detached in a remote environment; its agent may have ended since. */
export class DetachedElsewhere implements Process {
  readonly pid: number;
  readonly ended: Process["ended"];
  readonly #row: Left;
  readonly #table: ProcessTable;
  readonly #reach: Reach;
  readonly #end = Promise.withResolvers<Awaited<Process["ended"]>>();
  #over = false;

  /** @param known Its end as reported by its own shell, if that still exists. */
  constructor(row: Left, table: ProcessTable, reach: Reach, known?: Process["ended"]) {
    this.pid = row.grip.pid;
    this.#row = row;
    this.#table = table;
    this.#reach = reach;
    this.ended = this.#end.promise;
    void this.#watch(known);
  }

  output(): { readonly text: string; readonly droppedBytes: number } {
    return { text: readLog(this.#table.logFile(this.#row.id)), droppedBytes: 0 };
  }

  /** New output since the last call. */
  async refresh(): Promise<void> {
    if (!this.#over) await this.#look();
  }

  async write(text: string): Promise<void> {
    await using visit = await this.#reach(this.#row);
    await visit.detached.write(text);
  }

  async end(): Promise<void> {
    await using visit = await this.#reach(this.#row);
    await visit.detached.endInput();
  }

  async kill(graceMs = GRACE_MS): Promise<void> {
    if (this.#over) return;
    await using visit = await this.#reach(this.#row);
    await visit.detached.stop(graceMs);
    await this.#look(visit);
    if (!this.#over) throw new TerminalUnavailable("The process survived SIGKILL.");
  }

  onOutput(): Disposable {
    return { [Symbol.dispose]() {} };
  }

  async #watch(known: Process["ended"] | undefined): Promise<void> {
    const message = await known;
    if (message !== undefined && message.endedBy !== "lost") {
      // The process's last output is in its remote log, so fetch it first.
      await this.#look().catch(() => {});
      this.#settle(message);
    }
    while (!this.#over) {
      await this.#look().catch(() => {}); // An unreachable environment says nothing about the process.
      if (!this.#over) await wait(LOOK_MS, undefined, { ref: false });
    }
  }

  async #look(visit?: Visit): Promise<void> {
    const state = await this.#state(visit);
    const written = this.#table.read(this.#row.id)?.end?.exitCode ?? undefined;
    if (state.kind === "ended") this.#settle({ endedBy: "exit", exitCode: state.exitCode });
    // Another process saw its end first, recorded it and cleaned up.
    else if (state.kind === "gone")
      this.#settle(written === undefined ? { endedBy: "lost" } : { endedBy: "exit", exitCode: written });
  }

  async #state(known: Visit | undefined): Promise<DetachedState> {
    if (known !== undefined) return lookAt(known, this.#row, this.#table);
    try {
      await using visit = await this.#reach(this.#row);
      return await lookAt(visit, this.#row, this.#table);
    } catch (error) {
      if (isGone(error)) return { kind: "gone" };
      throw error;
    }
  }

  #settle(end: Awaited<Process["ended"]>): void {
    this.#over = true;
    this.#end.resolve(end);
  }
}

/** The error says that the environment no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof TerminalUnavailable && error.gone;
}

/** Adds new output to our copy, each byte at its offset, so that several processes may do it at once. */
async function fetchLog(terminal: Terminal, path: string, id: string, table: ProcessTable): Promise<void> {
  const there = (await terminal.files.stat(path))?.bytes;
  // Another process saw the end first and cleaned up.
  if (there === undefined) return;
  // A full log part was rotated.
  if (there < sizeOf(table.logFile(id))) table.turnLog(id);
  const have = sizeOf(table.logFile(id));
  if (there <= have) return;
  const bytes = await terminal.files.read(path, { from: have, bytes: there - have });
  if (bytes === undefined) return;
  const descriptor = openSync(table.logFile(id), "a+", 0o600);
  closeSync(descriptor);
  const file = openSync(table.logFile(id), "r+");
  try {
    writeSync(file, bytes, 0, bytes.length, have);
    if (have === 0) ftruncateSync(file, bytes.length);
  } finally {
    closeSync(file);
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0; // Nothing fetched yet.
  }
}

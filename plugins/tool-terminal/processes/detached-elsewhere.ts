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

/** How often one is looked at of whose end nobody tells. */
const LOOK_MS = 5_000;
const GRACE_MS = 2_000;

/** A look at the place of a process that was left there, with a grip on it. */
export interface Visit extends AsyncDisposable {
  readonly terminal: Terminal;
  readonly kept: DetachedProcess;
}

type Left = Pick<ProcessRow, "id" | "backend" | "taskId"> & { readonly grip: DetachedHandle };
/** Rejects with `TerminalUnavailable` when the place cannot be reached. */
export type Reach = (row: Left, signal?: AbortSignal) => Promise<Visit>;

/** @param use The backend of that id. @param signal When all looking ends. */
export function reachThrough(use: (backend: string) => Promise<TerminalBackend>, signal: AbortSignal): Reach {
  return async ({ backend: id, taskId, grip }, until = signal) => {
    const terminal = await (await use(id)).open({ key: taskId, visit: grip.where }, until);
    return {
      terminal,
      kept: new DetachedProcess(terminal, grip, until),
      [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose](),
    };
  };
}

/** What became of it. Its newest words are in our log then, and nothing of it is in its place when it has ended. Rejects like `reach`. */
export async function lookAt({ terminal, kept: saved }: Visit, row: Left, table: ProcessTable): Promise<DetachedState> {
  const state = await saved.state();
  if (state.kind !== "gone") await fetchLog(terminal, saved.log, row.id, table);
  if (state.kind === "ended") await saved.forget();
  return state;
}

/** A process that was left in a place elsewhere: its agent may have ended since. */
export class DetachedElsewhere implements Process {
  readonly pid: number;
  readonly ended: Process["ended"];
  readonly #row: Left;
  readonly #table: ProcessTable;
  readonly #reach: Reach;
  readonly #end = Promise.withResolvers<Awaited<Process["ended"]>>();
  #over = false;

  /** @param known Its end as its own shell tells it, while there is one. */
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

  /** What it has written since. */
  async refresh(): Promise<void> {
    if (!this.#over) await this.#look();
  }

  async write(text: string): Promise<void> {
    await using visit = await this.#reach(this.#row);
    await visit.kept.write(text);
  }

  async end(): Promise<void> {
    await using visit = await this.#reach(this.#row);
    await visit.kept.endInput();
  }

  async kill(graceMs = GRACE_MS): Promise<void> {
    if (this.#over) return;
    await using visit = await this.#reach(this.#row);
    await visit.kept.stop(graceMs);
    await this.#look(visit);
    if (!this.#over) throw new TerminalUnavailable("It outlived even SIGKILL.");
  }

  onOutput(): Disposable {
    return { [Symbol.dispose]() {} };
  }

  async #watch(known: Process["ended"] | undefined): Promise<void> {
    const message = await known;
    if (message !== undefined && message.endedBy !== "lost") {
      // Its words are still there.
      await this.#look().catch(() => {});
      this.#settle(message);
    }
    while (!this.#over) {
      await this.#look().catch(() => {}); // Its place does not answer: that says nothing of it.
      if (!this.#over) await wait(LOOK_MS, undefined, { ref: false });
    }
  }

  async #look(visit?: Visit): Promise<void> {
    const state = await this.#state(visit);
    const written = this.#table.read(this.#row.id)?.end?.exitCode ?? undefined;
    if (state.kind === "ended") this.#settle({ endedBy: "exit", exitCode: state.exitCode });
    // Whoever saw its end before us has written it down and cleared up.
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

/** Its place is no more, for certain. */
export function isGone(error: unknown): boolean {
  return error instanceof TerminalUnavailable && error.gone;
}

/** Adds what came since to our copy, each byte at its own place: several may do that at once. */
async function fetchLog(terminal: Terminal, path: string, id: string, table: ProcessTable): Promise<void> {
  const there = (await terminal.files.stat(path))?.bytes ?? 0;
  // A part of the log that is full has made place for the next.
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
    return 0; // Nothing was fetched yet.
  }
}

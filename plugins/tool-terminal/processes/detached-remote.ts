import { TerminalUnavailable, UserError } from "hermes-agent/plugin";
import { isGone, lookAt, type Reach } from "./detached-elsewhere.ts";
import { environmentPorts } from "./listening-ports.ts";
import { isAlive } from "./process-identity.ts";
import type { ProcessEnd, ProcessRow, ProcessTable } from "./process-table.ts";

/** Detached processes in remote environments, as seen from another process. */
export class LeftElsewhere {
  readonly #table: ProcessTable;
  readonly #reach: Reach;

  constructor(table: ProcessTable, reach: Reach) {
    this.#table = table;
    this.#reach = reach;
  }

  /** Updates those that can be reached before the signal; the others stay as they were. */
  async lookAtAll(rows: readonly ProcessRow[], signal: AbortSignal): Promise<void> {
    const late = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const looking = Promise.all(rows.map((row) => this.look(row, signal).catch(() => {})));
    if (rows.length > 0) await Promise.race([looking, late]);
  }

  /** Fetches new output and records whether it still runs. @throws {UserError} if its environment is unreachable. */
  async look(row: ProcessRow, signal?: AbortSignal): Promise<void> {
    const { grip } = row;
    if (grip === undefined) return;
    try {
      await using visit = await this.#reach({ ...row, grip }, signal);
      const state = await lookAt(visit, { ...row, grip }, this.#table);
      if (state.kind === "runs")
        this.#write(row, { ports: { tcp: await environmentPorts(visit.terminal, [grip.pid]), at: Date.now() } });
      else this.#over(row, state.kind === "ended" ? { exitCode: state.exitCode, reason: "exited", source: "" } : LOST);
    } catch (error) {
      if (isGone(error)) this.#over(row, LOST);
      else throw message(row, error);
    }
  }

  async stop(row: ProcessRow, graceMs: number): Promise<void> {
    const { grip } = row;
    if (grip === undefined) return;
    try {
      await using visit = await this.#reach({ ...row, grip });
      await visit.detached.stop(graceMs);
      if ((await lookAt(visit, { ...row, grip }, this.#table)).kind === "runs")
        throw new UserError(`${row.id} survived SIGKILL.`, {
          hint: "It may belong to another user there, or be stuck in the kernel.",
        });
    } catch (error) {
      if (!isGone(error)) throw message(row, error);
    }
    this.#over(row, { exitCode: -15, reason: "killed", source: "person" });
  }

  #over(row: ProcessRow, end: Omit<ProcessEnd, "at">): void {
    this.#write(row, { end: { at: Date.now(), ...end } });
  }

  /** A running agent writes the row itself. */
  #write(row: ProcessRow, more: Partial<ProcessRow>): void {
    const now = this.#table.read(row.id);
    if (now !== undefined && now.end === null && !isAlive(now.owner)) this.#table.write({ ...now, ...more });
  }
}

const LOST = { exitCode: null, reason: "lost", source: "place.end" } as const;

function message(row: ProcessRow, error: unknown): unknown {
  if (!(error instanceof TerminalUnavailable)) return error;
  return new UserError(
    `Cannot reach ${row.id} in the terminal backend "${row.backend}": ${error.message}`,
    error.hint === undefined ? {} : { hint: error.hint },
  );
}

import { TerminalUnavailable, type DetachedHandle, type Logger, type Process } from "hermes-agent/plugin";
import { AdoptedProcess } from "./adopted-process.ts";
import { DetachedElsewhere, type Reach } from "./detached-elsewhere.ts";
import { endMachineTree } from "./machine-processes.ts";
import { OutputLog } from "./output-log.ts";
import { identityOf, isAlive } from "./process-identity.ts";
import { ProcessRequests } from "./process-requests.ts";
import { ProcessRows } from "./process-rows.ts";
import type { ProcessRow, ProcessTable } from "./process-table.ts";
import { belongs, type Owner, type Notify, type TrackedProcess } from "./tracked-process.ts";

const TRACKED = 64;
const RETENTION_MS = 30 * 60_000;

/** The background processes of this host. They end with their session, task or host, unless they were detached. */
export class ProcessRegistry {
  readonly #log: Logger;
  readonly #table: ProcessTable;
  readonly #mask: (text: string) => string;
  readonly #rows: ProcessRows;
  readonly #requests: ProcessRequests;
  readonly #graceMs: () => number;
  readonly #reach: Reach;
  readonly #entries = new Map<string, TrackedProcess>();
  readonly #outputs = new Map<string, OutputLog>();

  constructor(ports: {
    readonly log: Logger;
    readonly table: ProcessTable;
    mask(text: string): string;
    graceMs(): number;
    reach: Reach;
  }) {
    this.#log = ports.log;
    this.#graceMs = () => ports.graceMs();
    this.#table = ports.table;
    this.#mask = ports.mask;
    this.#reach = ports.reach;
    this.#rows = new ProcessRows(ports);
    this.#requests = new ProcessRequests({
      ...ports,
      rows: this.#rows,
      find: (id) => this.#entries.get(id),
      stop: (entry, source) => this.stop(entry, source),
      keep: (entry) => this.keep(entry),
    });
  }

  /** Whether one more can be started. Removes ended ones to make room, the longest ended first. */
  get full(): boolean {
    this.#prune();
    return this.#entries.size >= TRACKED;
  }

  /** The ID of a process that is about to start, and the file for its exit code. */
  next(): { readonly id: string; readonly exitFile?: string } {
    return this.#rows.next();
  }

  /** @param here It runs on this machine, so that other processes can use its PID. */
  add(
    process: Process,
    about: Pick<
      TrackedProcess,
      | "id"
      | "command"
      | "cwd"
      | "taskId"
      | "sessionId"
      | "backend"
      | "notifyOnComplete"
      | "report"
      | "untrusted"
      | "watchPatterns"
      | "secrets"
      | "lookForPorts"
    > & { readonly here: boolean },
  ): TrackedProcess {
    const { here, ...rest } = about;
    const identity = here && process.pid !== undefined ? (identityOf(process.pid) ?? null) : null;
    const entry = this.#track({
      ...rest,
      process,
      identity,
      startedAt: Date.now(),
      end: undefined,
      persistent: false,
      detached: false,
      reported: false,
    });
    // Another process that sees the row may send a request at once.
    this.#requests.listen();
    this.#rows.write(entry);
    const output = new OutputLog(this.#table.logFile(entry.id), this.#mask);
    this.#outputs.set(entry.id, output);
    const written = process.output().text;
    process.onOutput((text) => output.push(text));
    if (written !== "") output.push(written);
    return entry;
  }

  /** Adopts a process of an earlier agent for the task and session that it belonged to. */
  get(id: string, of: Owner): TrackedProcess | undefined {
    this.#prune();
    return this.#entries.get(id) ?? this.#adopt(this.#table.read(id), of);
  }

  /** Processes whose end was not delivered; each is returned once. `tell` reports those that still run. */
  untold(of: Owner, report: Notify): readonly TrackedProcess[] {
    const due = this.#table
      .untold(of.sessionId)
      .flatMap((row) => this.#entries.get(row.id) ?? this.#adopt(row, of) ?? []);
    const ended = due.filter((entry) => entry.end !== undefined && !entry.reported);
    for (const entry of due) entry.report = report;
    for (const entry of ended) {
      entry.reported = true;
      this.#rows.write(entry);
    }
    return ended;
  }

  /** Those of this task or this session. */
  list(of: Owner): readonly TrackedProcess[] {
    this.#prune();
    for (const row of this.#table.all()) if (!this.#entries.has(row.id)) this.#adopt(row, of);
    return [...this.#entries.values()].filter((entry) => belongs(entry, of));
  }

  /** Waits `terminal.daemon_term_grace_seconds` after SIGTERM before it kills. */
  async stop(entry: TrackedProcess, source: string): Promise<void> {
    entry.endedBy ??= source;
    const graceMs = this.#graceMs();
    if (entry.identity !== null) await endMachineTree(entry.identity, graceMs);
    await this.#kill(entry, source, graceMs);
  }

  async #kill(entry: TrackedProcess, source: string, graceMs?: number): Promise<void> {
    entry.endedBy ??= source;
    await entry.process.kill(graceMs);
    await entry.process.ended;
  }

  /** @throws {TerminalUnavailable} when its environment does not support that. */
  async keep(entry: TrackedProcess): Promise<void> {
    if (entry.persistent || entry.end !== undefined) return;
    if (entry.secrets === true)
      throw new TerminalUnavailable(
        "It has a stored secret in its environment. Only a running agent masks its output; without one, the secret could be written to the log.",
      );
    const { process } = entry;
    if (process.leave !== undefined) await this.#leave(entry, () => process.leave!());
    else if (process.keep !== undefined && entry.identity !== null)
      await this.#keepHere(entry, (log) => process.keep!(log));
    else
      throw new TerminalUnavailable(
        `The terminal backend "${entry.backend}" ends with its task, and its processes end with it.`,
        { hint: "Keep its agent running, or start the process on this machine, in a container or over ssh." },
      );
    entry.persistent = true;
    this.#receive(entry);
    this.#rows.write(entry);
  }

  async #keepHere(entry: TrackedProcess, keep: (log: () => string) => Promise<void>): Promise<void> {
    const known = entry.process.ended;
    await keep(() => this.#closeLog(entry));
    entry.process = new AdoptedProcess({ ...this.#rows.of(entry), kept: true }, this.#table, known);
  }

  async #leave(entry: TrackedProcess, leave: () => Promise<DetachedHandle>): Promise<void> {
    const known = entry.process.ended;
    const grip = (entry.grip = await leave());
    this.#closeLog(entry);
    // The process's earlier output becomes the log part before the output in its environment.
    this.#table.turnLog(entry.id);
    entry.process = new DetachedElsewhere({ ...this.#rows.of(entry), grip }, this.#table, this.#reach, known);
  }

  #closeLog(entry: TrackedProcess): string {
    this.#outputs.get(entry.id)?.close();
    this.#outputs.delete(entry.id);
    return this.#table.logFile(entry.id);
  }

  async endSession(sessionId: string): Promise<void> {
    await this.#endWhere((entry) => entry.sessionId === sessionId, "session.end");
  }

  async endAll(): Promise<void> {
    await this.#endWhere(() => true, "host.end");
    this.#table[Symbol.dispose]();
  }

  async #endWhere(which: (entry: TrackedProcess) => boolean, source: string): Promise<void> {
    const running = [...this.#entries.values()].filter(
      (entry) => entry.end === undefined && !entry.persistent && which(entry),
    );
    for (const entry of running) entry.notifyOnComplete = false;
    await Promise.all(running.map((entry) => this.#kill(entry, source)));
  }

  #track(about: Omit<TrackedProcess, "endedBy" | "waiting" | "watchHit">): TrackedProcess {
    const entry: TrackedProcess = { ...about, endedBy: undefined, waiting: 0, watchHit: undefined };
    this.#entries.set(entry.id, entry);
    if (entry.end === undefined) this.#receive(entry);
    return entry;
  }

  #receive(entry: TrackedProcess): void {
    const { process } = entry;
    void process.ended.then((ended) => {
      // Another process reports it by now.
      if (entry.process !== process) return;
      const reason =
        entry.endedBy !== undefined || ended.endedBy === "killed"
          ? "killed"
          : ended.endedBy === "lost"
            ? "lost"
            : "exited";
      const exitCode = reason === "killed" ? -15 : (ended.exitCode ?? null);
      // Another process may have seen or caused the end of a remote one.
      const written = entry.grip === undefined ? undefined : this.#table.read(entry.id)?.end;
      entry.end = written ?? {
        at: Date.now(),
        exitCode,
        reason,
        source: entry.endedBy ?? (ended.endedBy === "signal" ? `signal ${ended.signal ?? ""}`.trim() : ""),
      };
      this.#closeLog(entry);
      // A caller that waits for it, or ended it, learns of the end that way.
      entry.reported ||= !entry.notifyOnComplete || entry.waiting > 0 || entry.endedBy === "process.kill";
      this.#rows.write(entry);
      if (!entry.reported) void this.#report(entry);
    });
  }

  /** If its session is closed by now, the notice waits until it is opened again. */
  async #report(entry: TrackedProcess): Promise<void> {
    try {
      await entry.report(entry);
      entry.reported = true;
      this.#rows.write(entry);
    } catch (cause) {
      this.#log.warning(
        `Cannot report the end of background process ${entry.id}; its session gets the notice when it is opened again.`,
        { cause },
      );
    }
  }

  #adopt(row: ProcessRow | undefined, of: Owner): TrackedProcess | undefined {
    if (
      row === undefined ||
      row.foreground === true ||
      !belongs(row, of) ||
      (row.owner.pid !== process.pid && isAlive(row.owner))
    )
      return undefined;
    if (row.end === null) this.#requests.listen();
    const { id, command, cwd, taskId, sessionId, backend, identity, startedAt, kept, end, notify = null } = row;
    const { grip } = row;
    const adopted =
      grip === undefined || end !== null
        ? new AdoptedProcess(row, this.#table)
        : new DetachedElsewhere({ ...row, grip }, this.#table, this.#reach);
    const later: Notify = () => Promise.reject(new Error("No open session owns the process."));
    return this.#track({
      id,
      command,
      cwd,
      taskId,
      sessionId,
      backend,
      identity,
      startedAt,
      persistent: kept,
      process: adopted,
      end: end ?? undefined,
      detached: true,
      notifyOnComplete: notify !== null,
      report: later,
      reported: notify === null,
      untrusted: notify?.foreign ?? null,
      watchPatterns: [],
      grip,
    });
  }

  #prune(): void {
    const ended = [...this.#entries.values()]
      .filter((entry) => entry.end !== undefined)
      .sort((a, b) => a.end!.at - b.end!.at);
    const now = Date.now();
    let surplus = this.#entries.size - TRACKED + 1;
    for (const entry of ended) {
      if (now - entry.end!.at <= RETENTION_MS && surplus <= 0) break;
      this.#entries.delete(entry.id);
      surplus -= 1;
    }
  }
}

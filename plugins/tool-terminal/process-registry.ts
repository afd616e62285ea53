import { randomBytes } from "node:crypto";
import type { Logger, Process } from "hermes-agent/plugin";

const TRACKED = 64;
const KEPT_MS = 30 * 60_000;

export interface TrackedProcess {
  /** `proc_` and 12 hex digits. */
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly taskId: string;
  readonly sessionId: string;
  readonly process: Process;
  /** Epoch ms. */
  readonly startedAt: number;
  /** Set when it has ended. */
  end: { readonly at: number; readonly exitCode: number | undefined; readonly reason: "exited" | "killed" | "lost"; readonly source: string } | undefined;
  /** Who ended it, when we did. */
  endedBy: string | undefined;
  /** Calls that wait for its end now; they tell the model themselves. */
  waiting: number;
  notifyOnComplete: boolean;
  readonly watchPatterns: readonly string[];
  watchHit: string | undefined;
}

/** The background processes of this host. They end with their session, their task or the host. */
export class ProcessRegistry {
  readonly #log: Logger;
  readonly #entries = new Map<string, TrackedProcess>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether one more would be kept. Ended ones make room, the longest ended first. */
  get full(): boolean {
    this.#prune();
    return this.#entries.size >= TRACKED;
  }

  add(process: Process, about: Pick<TrackedProcess, "command" | "cwd" | "taskId" | "sessionId" | "notifyOnComplete" | "watchPatterns">, onEnd: (entry: TrackedProcess) => void): TrackedProcess {
    const entry: TrackedProcess = { ...about, process, id: `proc_${randomBytes(6).toString("hex")}`, startedAt: Date.now(), end: undefined, endedBy: undefined, waiting: 0, watchHit: undefined };
    this.#entries.set(entry.id, entry);
    void process.ended.then((ended) => {
      const reason = entry.endedBy !== undefined || ended.endedBy === "killed" ? "killed" : ended.endedBy === "lost" ? "lost" : "exited";
      entry.end = { at: Date.now(), exitCode: reason === "killed" ? -15 : ended.exitCode, reason, source: entry.endedBy ?? (ended.endedBy === "signal" ? `signal ${ended.signal ?? ""}`.trim() : "") };
      try {
        onEnd(entry);
      } catch (cause) {
        this.#log.error(`The end of background process ${entry.id} could not be told.`, { cause });
      }
    });
    return entry;
  }

  get(id: string): TrackedProcess | undefined {
    this.#prune();
    return this.#entries.get(id);
  }

  /** Those of this task or this session. */
  list(of: { readonly taskId: string; readonly sessionId: string }): readonly TrackedProcess[] {
    this.#prune();
    return [...this.#entries.values()].filter((entry) => entry.taskId === of.taskId || entry.sessionId === of.sessionId);
  }

  async kill(entry: TrackedProcess, source: string): Promise<void> {
    entry.endedBy ??= source;
    await entry.process.kill();
    await entry.process.ended;
  }

  async endSession(sessionId: string): Promise<void> {
    await this.#endWhere((entry) => entry.sessionId === sessionId, "session.end");
  }

  async endAll(): Promise<void> {
    await this.#endWhere(() => true, "host.end");
  }

  async #endWhere(which: (entry: TrackedProcess) => boolean, source: string): Promise<void> {
    const running = [...this.#entries.values()].filter((entry) => entry.end === undefined && which(entry));
    for (const entry of running) entry.notifyOnComplete = false;
    await Promise.all(running.map((entry) => this.kill(entry, source)));
  }

  #prune(): void {
    const ended = [...this.#entries.values()].filter((entry) => entry.end !== undefined).sort((a, b) => a.end!.at - b.end!.at);
    const now = Date.now();
    let surplus = this.#entries.size - TRACKED + 1;
    for (const entry of ended) {
      if (now - entry.end!.at <= KEPT_MS && surplus <= 0) break;
      this.#entries.delete(entry.id);
      surplus -= 1;
    }
  }
}

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  watch,
  writeFileSync,
  type FSWatcher,
} from "node:fs";
import { join } from "node:path";
import type { UntrustedSource, DetachedHandle } from "hermes-agent/plugin";
import { identityOf, isAlive, isOfThisMachine, type ProcessIdentity } from "./process-identity.ts";

/** Limits for ended processes: number and age. */
const ENDED = 64;
const ENDED_MS = 24 * 60 * 60_000;
/** Age limit for processes whose session has not got the notice. */
const UNTOLD_MS = 30 * ENDED_MS;
/** How long the agent may take to remove a process that it waited for itself. */
const FOREGROUND_MS = 10_000;
const ROW_NAME = /^(proc_[0-9a-f]{12})\.json$/;
const REQUEST_NAME = /^(proc_[0-9a-f]{12})\.(stop|keep|look)$/;

/** One process, visible to every program of the user on this machine. */
export interface ProcessRow {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  /** ID of its terminal backend. */
  readonly backend: string;
  readonly sessionId: string;
  readonly taskId: string;
  /** A call waits for its end: it is a foreground command and is not stored afterwards. */
  readonly foreground?: true;
  /**
   * Listening ports of a process in a remote environment, and when its agent last checked. On this machine, readers
   * check themselves.
   */
  readonly ports?: { readonly tcp: readonly number[]; readonly at: number };
  /** PID in its environment. */
  readonly pid: number | null;
  /** Set if it runs on this machine. */
  readonly identity: ProcessIdentity | null;
  /** Data to find it again in a remote environment after it was detached. */
  readonly grip?: DetachedHandle;
  /** The agent that is its parent and ends it when the agent ends. */
  readonly owner: ProcessIdentity;
  readonly startedAt: number;
  /** Whether it outlives its agent. */
  readonly kept: boolean;
  readonly end: ProcessEnd | null;
  /** Set while its session must still get the notice of its end, with the provenance of its output. */
  readonly notify: { readonly foreign: UntrustedSource | null } | null;
  /** Why its agent did not carry out the last request. */
  readonly refusal: string | null;
}

export interface ProcessEnd {
  /** Epoch ms; the time of detection if it ended unobserved. */
  readonly at: number;
  /** `null` if unknown. */
  readonly exitCode: number | null;
  readonly reason: "exited" | "killed" | "lost";
  readonly source: string;
}

export type ProcessRequest = "stop" | "keep" | "look";

/**
 * The background processes of all agents of this home: one file each in `processes/`, readable by any process. No other
 * code opens
 * them. The agent that owns the process writes the row; after that agent has ended, any process that finds it ended
 * does.
 */
export class ProcessTable {
  readonly home: string;
  readonly #folder: string;
  #watcher: FSWatcher | undefined;

  constructor(home: string) {
    this.home = home;
    this.#folder = join(home, "processes");
  }

  write(row: ProcessRow): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const file = join(this.#folder, `${row.id}.json`);
    writeFileSync(`${file}.${process.pid}.tmp`, `${JSON.stringify(row)}\n`, { mode: 0o600 });
    renameSync(`${file}.${process.pid}.tmp`, file);
  }

  /**
   * Completes the row by checking: for an unrecorded end, the exit code that the shell left; without one, it is `lost`.
   */
  read(id: string): ProcessRow | undefined {
    return ROW_NAME.test(`${id}.json`) ? this.#read(id) : undefined;
  }

  /** All rows, running ones first, newest first. Removes rows beyond the limits. */
  all(now = Date.now()): readonly ProcessRow[] {
    const rows = this.#ids().flatMap((id) => this.#read(id) ?? []);
    const ended = rows.filter((row) => row.end !== null).sort((a, b) => b.end!.at - a.end!.at);
    const gone = new Set(
      ended.filter(
        (row, at) =>
          row.foreground === true ||
          at >= ENDED ||
          now - row.end!.at > ((row.notify ?? null) === null ? ENDED_MS : UNTOLD_MS),
      ),
    );
    for (const row of gone) if (row.foreground !== true || now - row.end!.at > FOREGROUND_MS) this.remove(row.id);
    return rows
      .filter((row) => !gone.has(row))
      .sort((a, b) => Number(a.end !== null) - Number(b.end !== null) || b.startedAt - a.startedAt);
  }

  /** Rows of a session with an undelivered notice, including running processes. */
  untold(sessionId: string): readonly ProcessRow[] {
    return this.all().filter((row) => row.sessionId === sessionId && (row.notify ?? null) !== null);
  }

  /** The log of its output; the earlier part has the same name with `.1`. */
  logFile(id: string): string {
    return join(this.#folder, `${id}.log`);
  }

  /** The file for its exit code. Creates the folder. */
  exitFile(id: string): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, `${id}.exit`);
  }

  /** Rotates the log: the existing text becomes the earlier part. */
  turnLog(id: string): void {
    rmSync(`${this.logFile(id)}.1`, { force: true });
    try {
      renameSync(this.logFile(id), `${this.logFile(id)}.1`);
    } catch {
      // No output yet.
    }
  }

  /** Exit code and end time of a detached process; `undefined` while it runs, and if its shell was killed too. */
  left(id: string): { readonly exitCode: number; readonly at: number } | undefined {
    const file = join(this.#folder, `${id}.exit`);
    try {
      const [, code] = /^(\d+)\n$/.exec(readFileSync(file, "latin1")) ?? [];
      return code === undefined ? undefined : { exitCode: Number(code), at: Math.round(statSync(file).mtimeMs) };
    } catch {
      return undefined; // The file does not exist.
    }
  }

  /** Sends a request to the agent that owns it. */
  ask(id: string, request: ProcessRequest): void {
    writeFileSync(join(this.#folder, `${id}.${request}`), "", { mode: 0o600 });
  }

  /** Whether the request is still pending. */
  isAsked(id: string, request: ProcessRequest): boolean {
    return existsSync(join(this.#folder, `${id}.${request}`));
  }

  /** Claims a request. True if it was still pending; the caller must then carry it out. */
  withdraw(id: string, request: ProcessRequest): boolean {
    try {
      unlinkSync(join(this.#folder, `${id}.${request}`));
      return true;
    } catch {
      return false; // Already claimed.
    }
  }

  /** Watches for requests to this agent until it is disposed. A second call does nothing. */
  listen(receive: (id: string, request: ProcessRequest) => void): void {
    if (this.#watcher !== undefined) return;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#watcher = watch(this.#folder, { persistent: false }, (_, name) => {
      const [, id, request] = REQUEST_NAME.exec(name ?? "") ?? [];
      if (id !== undefined) receive(id, request as ProcessRequest);
    });
    this.#watcher.on("error", () => this[Symbol.dispose]());
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #ids(): readonly string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => ROW_NAME.exec(name)?.[1] ?? []);
    } catch {
      return []; // No background process was ever started.
    }
  }

  #read(id: string): ProcessRow | undefined {
    let row: ProcessRow;
    try {
      row = JSON.parse(readFileSync(join(this.#folder, `${id}.json`), "utf8")) as ProcessRow;
    } catch {
      return undefined; // Removed meanwhile, or not readable.
    }
    if (row.end !== null || !hasEnded(row)) return row;
    const left = this.left(id);
    const end: ProcessEnd =
      left === undefined
        ? { at: this.#lastWord(id) ?? row.startedAt, exitCode: null, reason: "lost", source: "agent.end" }
        : { ...left, reason: "exited", source: "" };
    const ended: ProcessRow = { ...row, end };
    this.write(ended);
    return ended;
  }

  #lastWord(id: string): number | undefined {
    try {
      return statSync(this.logFile(id)).mtimeMs;
    } catch {
      return undefined; // It printed nothing.
    }
  }

  remove(id: string): void {
    for (const name of [
      `${id}.json`,
      `${id}.log`,
      `${id}.log.1`,
      `${id}.exit`,
      `${id}.stop`,
      `${id}.keep`,
      `${id}.look`,
    ])
      rmSync(join(this.#folder, name), { force: true });
  }
}

/**
 * Whether it has certainly ended. On this machine, checks the process; a remote one ends with its agent unless it was
 * detached.
 */
function hasEnded(row: ProcessRow): boolean {
  if (!isOfThisMachine(row.owner)) return row.identity === null ? false : isEarlierBoot(row.owner);
  if (isAlive(row.owner)) return false;
  // Only its environment knows. Give up if it was unreachable for too long.
  if (row.grip !== undefined) return Date.now() - Math.max(row.startedAt, row.ports?.at ?? 0) > UNTOLD_MS;
  return row.identity === null || !isAlive(row.identity);
}

/**
 * Same host name but another boot: the process no longer exists. Ignores other hosts or containers that share the home.
 */
function isEarlierBoot(owner: ProcessIdentity): boolean {
  const [host, boot] = owner.born.split(" ");
  const [here, now] = (identityOf(process.pid)?.born ?? "").split(" ");
  return host === here && boot !== now;
}

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

/** Ended processes kept for a look: so many, so long. */
const ENDED = 64;
const ENDED_MS = 24 * 60 * 60_000;
/** Those whose session has not heard of it. */
const UNTOLD_MS = 30 * ENDED_MS;
/** So long the agent may take to remove what it waited for itself. */
const FOREGROUND_MS = 10_000;
const ROW_NAME = /^(proc_[0-9a-f]{12})\.json$/;
const REQUEST_NAME = /^(proc_[0-9a-f]{12})\.(stop|keep|look)$/;

/** One process, as everybody on this machine may know it. */
export interface ProcessRow {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  /** Id of the backend it runs in. */
  readonly backend: string;
  readonly sessionId: string;
  readonly taskId: string;
  /** A call waits for its end: it is no background process, and nothing of it is kept. */
  readonly foreground?: true;
  /** Those it listens on in its place, and when its agent last looked. Of what runs on this machine whoever wants to know looks. */
  readonly ports?: { readonly tcp: readonly number[]; readonly at: number };
  /** As its place numbers it. */
  readonly pid: number | null;
  /** Where the place is this machine. */
  readonly identity: ProcessIdentity | null;
  /** Finds it again in a place elsewhere, where it was left to outlive its agent. */
  readonly grip?: DetachedHandle;
  /** The agent whose child it is, and which ends it when it ends itself. */
  readonly owner: ProcessIdentity;
  readonly startedAt: number;
  /** It outlives its agent. */
  readonly kept: boolean;
  readonly end: ProcessEnd | null;
  /** Its end is still to be told to its session, and whose words its output carries then. */
  readonly notify: { readonly foreign: UntrustedSource | null } | null;
  /** Why what was last asked of its agent was not done. */
  readonly refusal: string | null;
}

export interface ProcessEnd {
  /** Epoch ms; when it was noticed, for one that ended while nobody looked. */
  readonly at: number;
  /** `null` where it is not known. */
  readonly exitCode: number | null;
  readonly reason: "exited" | "killed" | "lost";
  readonly source: string;
}

export type ProcessRequest = "stop" | "keep" | "look";

/**
 * The background processes of all agents of this home: a file each in `processes/`, so that any process can look, and no other code opens
 * them. A row is written by the agent that owns the process, and by whoever finds it ended after that agent is gone.
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

  /** With what can be known by looking: of one whose end nobody wrote down, the exit code that it left; without one it is `lost`. */
  read(id: string): ProcessRow | undefined {
    return ROW_NAME.test(`${id}.json`) ? this.#read(id) : undefined;
  }

  /** All that are kept, those that run first, the newest first. Makes room on the way. */
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

  /** Those of a session whose end is still to be told, also of those that run. */
  untold(sessionId: string): readonly ProcessRow[] {
    return this.all().filter((row) => row.sessionId === sessionId && (row.notify ?? null) !== null);
  }

  /** Where what it wrote is kept; the part before that in the same name with `.1`. */
  logFile(id: string): string {
    return join(this.#folder, `${id}.log`);
  }

  /** Where its shell leaves its exit code. The folder is there. */
  exitFile(id: string): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, `${id}.exit`);
  }

  /** What was written before is the part before. */
  turnLog(id: string): void {
    rmSync(`${this.logFile(id)}.1`, { force: true });
    try {
      renameSync(this.logFile(id), `${this.logFile(id)}.1`);
    } catch {
      // It has written nothing yet.
    }
  }

  /** The exit code that it left, and when; `undefined` as long as it runs, and when its shell was killed too. */
  left(id: string): { readonly exitCode: number; readonly at: number } | undefined {
    const file = join(this.#folder, `${id}.exit`);
    try {
      const [, code] = /^(\d+)\n$/.exec(readFileSync(file, "latin1")) ?? [];
      return code === undefined ? undefined : { exitCode: Number(code), at: Math.round(statSync(file).mtimeMs) };
    } catch {
      return undefined; // There is none.
    }
  }

  /** Asks the agent that owns it. */
  ask(id: string, request: ProcessRequest): void {
    writeFileSync(join(this.#folder, `${id}.${request}`), "", { mode: 0o600 });
  }

  /** Nobody has taken it yet. */
  isAsked(id: string, request: ProcessRequest): boolean {
    return existsSync(join(this.#folder, `${id}.${request}`));
  }

  /** True when it was still to be done: whoever takes it does it. */
  withdraw(id: string, request: ProcessRequest): boolean {
    try {
      unlinkSync(join(this.#folder, `${id}.${request}`));
      return true;
    } catch {
      return false; // Taken already.
    }
  }

  /** Hears what is asked of this agent, until it is disposed. A second call changes nothing. */
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
      return []; // Nothing ever ran in the background here.
    }
  }

  #read(id: string): ProcessRow | undefined {
    let row: ProcessRow;
    try {
      row = JSON.parse(readFileSync(join(this.#folder, `${id}.json`), "utf8")) as ProcessRow;
    } catch {
      return undefined; // Removed meanwhile, or not ours.
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
      return undefined; // It wrote nothing.
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

/** Whether it certainly runs no more: itself, where it is of this machine; elsewhere it cannot outlive its agent unless it was left there. */
function hasEnded(row: ProcessRow): boolean {
  if (!isOfThisMachine(row.owner)) return row.identity === null ? false : isEarlierBoot(row.owner);
  if (isAlive(row.owner)) return false;
  // Only its place can tell. One that nobody has reached for so long is given up.
  if (row.grip !== undefined) return Date.now() - Math.max(row.startedAt, row.ports?.at ?? 0) > UNTOLD_MS;
  return row.identity === null || !isAlive(row.identity);
}

/** Of the same host name and another boot: nothing of it is left. Another host or container that shares the home is left alone. */
function isEarlierBoot(owner: ProcessIdentity): boolean {
  const [host, boot] = owner.born.split(" ");
  const [here, now] = (identityOf(process.pid)?.born ?? "").split(" ");
  return host === here && boot !== now;
}

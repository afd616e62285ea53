import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  KILL_LEFT,
  KILL_MARKED,
  killLeft,
  killMarked,
  MARK,
  NOTE_LEFT,
  processesBelow,
  type LeftProcess,
} from "./marked-processes.ts";

export interface LineProgramStart {
  /** A name on the PATH of `env`, or a path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that it gets. */
  readonly env: { readonly [name: string]: string };
  /** Called with each line that it writes, without its end. Never after it has ended. */
  line(text: string): void;
  /** Called with its error output. */
  printed(text: string): void;
  /** Called once, when it has ended. */
  ended(): void;
}

/** Largest size of one line, or of the whole answer to one. */
const MAX_BYTES = 64_000_000;
const GRACE_MS = 800;

/**
 * The program leads a process group. In that group a watcher waits on descriptor 3, which closes when the agent ends
 * for any reason; then the whole group ends, and whatever left the group. The program replaces the shell that set this
 * up.
 */
const SCRIPT = `
group=$$ mark=$1
shift
( exec </dev/null >/dev/null 2>/dev/null; read -r _ <&3; ${NOTE_LEFT} sleep 1; ${KILL_MARKED} ${KILL_LEFT} kill -9 -"$group" ) &
exec 3<&-
export ${MARK}="$mark"
exec "$@"
`;

/**
 * A program that is spoken to over its standard streams, a line at a time. It ends with the agent, and takes along what
 * it has started.
 */
export class LineProgram {
  readonly #start: LineProgramStart;
  readonly #ended = Promise.withResolvers<void>();
  readonly #mark = randomUUID();
  #child: ChildProcess | undefined;
  /** Below the program when it was last asked to end. Its end makes them children of another process. */
  #below: readonly LeftProcess[] = [];
  #rest: Buffer[] = [];
  #restBytes = 0;
  #sinceSent = 0;
  #reason: string | undefined;
  #lastWords = "";

  constructor(start: LineProgramStart) {
    this.#start = start;
  }

  /** Why it ended, in words, with the last that it printed; `undefined` while it runs. */
  get end(): string | undefined {
    if (this.#reason === undefined) return undefined;
    const words = this.#lastWords.trim().split("\n").at(-1)?.slice(-300) ?? "";
    return `${this.#reason}${words === "" ? "" : ` (${words})`}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Rejects where not even the shell before it can be started. A program that is not there has ended soon after. */
  start(): Promise<void> {
    const { command, args, cwd, env } = this.#start;
    const child = spawn("/bin/sh", ["-c", SCRIPT, "sh", this.#mark, command, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    living.set(child, this.#mark);
    child.once("exit", (code, signal) =>
      this.#exited(
        signal === null
          ? code === 127
            ? `there is no program "${command}"`
            : code === 126
              ? `"${command}" cannot be run`
              : `it ended with status ${code}`
          : `it was ended by ${signal}`,
      ),
    );
    for (const stream of child.stdio) stream?.on("error", () => undefined); // Its exit reports the error.
    child.stdout!.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = `${this.#lastWords}${text}`.slice(-2_000);
      this.#start.printed(text);
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        this.#exited(`it cannot be started: ${cause.message}`);
        reject(cause);
      });
    });
  }

  /** Writes a line. Resolves when it may be sent more; rejects when it accepts no more input. */
  async send(line: string): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#reason !== undefined || stdin === null || stdin === undefined || !stdin.writable)
      throw new Error(this.end ?? "it accepts no more input");
    this.#sinceSent = 0;
    if (!stdin.write(`${line}\n`))
      await Promise.race([new Promise((resolve) => stdin.once("drain", resolve)), this.#ended.promise]);
  }

  /** Closes its input; sends SIGTERM if it does not end, then SIGKILL. */
  async close(): Promise<void> {
    if (this.#child === undefined || this.#reason !== undefined) return;
    this.#noteBelow();
    this.#child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await endsWithin(this.#ended.promise, GRACE_MS)) return;
      this.#noteBelow();
      killGroup(this.#child, signal);
    }
    await endsWithin(this.#ended.promise, GRACE_MS);
  }

  /** Ends it and its group at once. */
  kill(reason: string): void {
    this.#noteBelow();
    this.#exited(reason);
    if (this.#child !== undefined) killGroup(this.#child, "SIGKILL");
  }

  #noteBelow(): void {
    const pid = this.#child?.pid;
    if (pid !== undefined) this.#below = [...this.#below, ...processesBelow(pid)];
  }

  #receive(chunk: Buffer): void {
    this.#sinceSent += chunk.length;
    if (this.#sinceSent > MAX_BYTES)
      return this.kill(`it sent more than ${MAX_BYTES / 1_000_000} MB without a request`);
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#line(Buffer.concat([...this.#rest, chunk.subarray(from, at)]).toString("utf8"));
      this.#rest = [];
      this.#restBytes = 0;
      from = at + 1;
    }
    if (from === chunk.length) return;
    this.#rest.push(chunk.subarray(from));
    this.#restBytes += chunk.length - from;
    if (this.#restBytes > MAX_BYTES) this.kill(`it sent a message of more than ${MAX_BYTES / 1_000_000} MB`);
  }

  #line(line: string): void {
    if (line.trim() !== "" && this.#reason === undefined) this.#start.line(line);
  }

  #exited(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    // The reason already contains the shell's message about a missing program.
    if (reason.startsWith("there is no program")) this.#lastWords = "";
    if (this.#child !== undefined) {
      living.delete(this.#child);
      // The watcher, and what the program left behind.
      killGroup(this.#child, "SIGKILL");
      killMarked(this.#mark);
      killLeft(this.#below);
      for (const stream of this.#child.stdio) stream?.destroy();
    }
    this.#ended.resolve();
    this.#start.ended();
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of the group is left.
  }
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ended at once where the agent ends without saying so. */
const living = new Map<ChildProcess, string>();
process.once("exit", () => {
  for (const [child, mark] of living) {
    const below = processesBelow(child.pid ?? -1);
    killGroup(child, "SIGKILL");
    killMarked(mark);
    killLeft(below);
  }
});

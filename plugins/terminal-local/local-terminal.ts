import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { TerminalUnavailable, type Process, type RunOptions, type RunResult, type SpawnOptions, type Terminal } from "hermes-agent/plugin";
import { BoundedOutput } from "./bounded-output.ts";
import { KeptShell, type ShellEnd } from "./kept-shell.ts";
import { LocalFiles } from "./local-files.ts";
import { LocalProcess } from "./local-process.ts";
import { pseudoTerminalCommand } from "./pseudo-terminal.ts";

const DEFAULT_OUTPUT_BYTES = 50_000;
const DEFAULT_BACKGROUND_BYTES = 200_000;
/** Progress beyond this much is for nobody to read. */
const MAX_PROGRESS_BYTES = 1_000_000;

export interface LocalTerminalOptions {
  readonly key: string;
  readonly cwd: string;
  environment(): Promise<Record<string, string>>;
  /** Idle time after which the shell is put away; its state is kept and brought back by the next command. */
  readonly idleMs: number;
  /** Told when the terminal takes no more commands, and when all it ran has ended. */
  closing(): void;
  closed(): void;
}

/** A kept-open shell for one key, and a second one for commands that come while the first is busy. */
export class LocalTerminal implements Terminal {
  readonly key: string;
  readonly files = new LocalFiles(() => this.cwd);
  readonly #options: LocalTerminalOptions;
  #cwd: string;
  #state: string | undefined;
  #main: Promise<KeptShell> | undefined;
  #aside: Promise<KeptShell> | undefined;
  readonly #shells = new Set<KeptShell>();
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LocalTerminalOptions) {
    this.key = options.key;
    this.#options = options;
    this.#cwd = nearestDirectory(options.cwd);
  }

  get cwd(): string {
    return this.#cwd;
  }

  async run(command: string, options: RunOptions): Promise<RunResult> {
    const startedAt = performance.now();
    const limit = Math.max(1, options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
    const kept = new BoundedOutput(limit * 0.4, limit * 0.6);
    const done = (end: Pick<RunResult, "endedBy" | "exitCode" | "signal">): RunResult => ({ ...end, ...shown(kept, end.endedBy === "timeout" || end.endedBy === "cancelled"), durationMs: performance.now() - startedAt });
    if (options.signal.aborted) return done({ endedBy: "cancelled" });
    if (command.includes("\0")) return done({ endedBy: "exit", exitCode: 2 });
    using stop = stopOf(options);
    const progress = options.onOutput === undefined ? undefined : progressOf(options.onOutput);
    const run = { command, cwd: options.cwd === undefined ? undefined : this.#absolute(options.cwd), stdin: options.stdin, stop: stop.asked, output: (bytes: Uint8Array) => (kept.push(bytes), progress?.(bytes)) };
    const end = options.beside === true ? await this.#runBeside(run) : await this.#inTurn(stop, run);
    return done(end.kind === "stopped" ? { endedBy: stop.reason ?? "cancelled" } : end.kind === "signal" ? { endedBy: "signal", signal: end.signal } : { endedBy: "exit", exitCode: end.code });
  }

  async spawn(command: string, options: SpawnOptions): Promise<Process> {
    const text = options.pty === true ? await pseudoTerminalCommand(command, await this.#options.environment()) : command;
    const limit = options.maxOutputBytes ?? DEFAULT_BACKGROUND_BYTES;
    return this.#copy(async (shell, from) => {
      const made = new LocalProcess(limit);
      made.attach(await shell.background({ command: text, output: made.push, cwd: options.cwd === undefined ? from.cwd : this.#absolute(options.cwd), ...from.exports }));
      return made;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    this.#options.closing();
    try {
      await Promise.allSettled([this.#main, this.#aside]);
      await Promise.all([...this.#shells].map((shell) => shell.end()));
    } finally {
      this.#options.closed();
    }
  }

  /** For the end of the process, when nothing can be waited for. */
  killNow(): void {
    for (const shell of this.#shells) while (shell.endNow());
    for (const shell of this.#shells) shell.removeNow();
  }

  /** One command after the other; one that is cancelled while it waits never runs. */
  async #inTurn(stop: Stop, run: Parameters<KeptShell["run"]>[0]): Promise<ShellEnd> {
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    this.#turn = before.then(() => turn.promise);
    this.#waiting += 1;
    try {
      await Promise.race([before, stop.asked]);
      if (stop.reason !== undefined) return { kind: "stopped" };
      const shell = await this.#livingShell();
      const end = await shell.run(run);
      this.#cwd = shell.cwd;
      if (shell.ended) await this.#replace(shell);
      return end;
    } finally {
      this.#waiting -= 1;
      turn.resolve();
      this.#rest();
    }
  }

  async #runBeside(run: Parameters<KeptShell["runBeside"]>[0]): Promise<ShellEnd> {
    return this.#copy((shell, from) => shell.runBeside({ ...run, cwd: run.cwd ?? from.cwd, ...from.exports }));
  }

  /** A shell to copy: the terminal's own while it waits, otherwise a second one that takes over directory and exported variables. */
  async #copy<T>(use: (shell: KeptShell, from: { readonly cwd: string | undefined; readonly exports: { readonly exports?: string } }) => Promise<T>): Promise<T> {
    try {
      const main = await this.#livingShell();
      if (this.#waiting === 0 && main.idle) return await use(main, { cwd: undefined, exports: {} });
      if ((await this.#aside)?.ended === true) this.#aside = undefined;
      const aside = await (this.#aside ??= this.#start(undefined));
      return await use(aside, { cwd: this.#cwd, exports: { exports: main.exportsFile() } });
    } finally {
      this.#rest();
    }
  }

  async #livingShell(): Promise<KeptShell> {
    const shell = await this.#mainShell();
    if (!shell.ended) return shell;
    await this.#replace(shell);
    return this.#mainShell();
  }

  #mainShell(): Promise<KeptShell> {
    if (this.#closed) throw new TerminalUnavailable(`The terminal ${JSON.stringify(this.key)} was closed.`);
    clearTimeout(this.#idleTimer);
    if (this.#main === undefined) {
      this.#main = this.#start(this.#state);
      this.#main.catch(() => (this.#main = undefined));
    }
    return this.#main;
  }

  async #start(state: string | undefined): Promise<KeptShell> {
    this.#cwd = nearestDirectory(this.#cwd);
    const shell = await KeptShell.start({ cwd: this.#cwd, environment: await this.#options.environment(), ...(state === undefined ? {} : { state }) });
    this.#shells.add(shell);
    return shell;
  }

  /** The shell was killed or turned into another program: the next one starts with what it had exported. */
  async #replace(shell: KeptShell): Promise<void> {
    if ((await this.#main) !== shell) return;
    this.#state = shell.exports() ?? this.#state;
    this.#main = undefined;
    if (shell.inUse) return;
    this.#shells.delete(shell);
    await shell.end(0);
  }

  #rest(): void {
    clearTimeout(this.#idleTimer);
    if (this.#closed || this.#options.idleMs <= 0) return;
    this.#idleTimer = setTimeout(() => void this.#putAway(), this.#options.idleMs);
    this.#idleTimer.unref();
  }

  async #putAway(): Promise<void> {
    if (this.#closed || this.#waiting > 0) return;
    if ([...this.#shells].some((shell) => shell.inUse)) return this.#rest();
    const main = this.#main;
    if (main === undefined) return;
    const turn = Promise.withResolvers<void>();
    this.#turn = this.#turn.then(() => turn.promise);
    try {
      this.#state = (await (await main).retire()) ?? this.#state;
      const aside = this.#aside;
      this.#main = this.#aside = undefined;
      await (await aside)?.end(0);
      this.#shells.clear();
    } finally {
      turn.resolve();
    }
  }

  #absolute(path: string): string {
    const expanded = path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
    return resolve(this.#cwd, expanded);
  }
}

interface Stop extends Disposable {
  /** Resolves when time is up or the signal is aborted. The first reason stays. */
  readonly asked: Promise<void>;
  readonly reason: "timeout" | "cancelled" | undefined;
}

function stopOf(options: { readonly signal: AbortSignal; readonly timeoutMs: number }): Stop {
  const asked = Promise.withResolvers<void>();
  let reason: "timeout" | "cancelled" | undefined;
  const ask = (why: "timeout" | "cancelled") => {
    reason ??= why;
    asked.resolve();
  };
  const cancel = () => ask("cancelled");
  const timer = setTimeout(ask, Math.min(options.timeoutMs, 2_147_483_647), "timeout");
  options.signal.addEventListener("abort", cancel, { once: true });
  return {
    asked: asked.promise,
    get reason() {
      return reason;
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", cancel);
    },
  };
}

/** The shell's own word for a command that was ended under it. */
const ENDED = /(?:Terminated|Killed)(?:: \d+)?\s*$/;

function shown(kept: BoundedOutput, stopped: boolean): { readonly output: string; readonly omittedBytes: number } {
  const { head, tail, omittedBytes } = kept.kept();
  const notice = omittedBytes === 0 ? "" : `\n\n[OUTPUT TRUNCATED - ${omittedBytes} bytes omitted out of ${kept.totalBytes} total]\n\n`;
  const output = head + notice + tail;
  return { output: stopped ? output.replace(ENDED, "") : output, omittedBytes };
}

function progressOf(tell: (text: string) => void): (bytes: Uint8Array) => void {
  const decoder = new StringDecoder("utf8");
  let told = 0;
  return (bytes) => {
    if (told > MAX_PROGRESS_BYTES) return;
    told += bytes.length;
    const text = decoder.write(Buffer.from(bytes));
    if (text !== "") tell(text);
  };
}

/** A directory that was removed gives way to the nearest one above it that is still there. */
function nearestDirectory(path: string): string {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      if (statSync(at).isDirectory()) return at;
    } catch {
      // Missing: look further up.
    }
    if (at === dirname(at)) return at;
  }
}

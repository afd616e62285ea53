import { posix } from "node:path";
import {
  TerminalUnavailable,
  type Period,
  type Process,
  type RunOptions,
  type RunResult,
  type SpawnOptions,
  type Terminal,
  type TerminalFiles,
  type SandboxBounds,
} from "../../contract/providers/terminal.ts";
import { PersistentSync } from "./persistent-sync.ts";
import { Lanes } from "../shell/lanes.ts";
import { CAN_PSEUDO_TERMINAL, pseudoTerminalCommand } from "../program/pseudo-terminal.ts";
import { RunOutput } from "../output/run-output.ts";
import type { Shell, ShellEnd, ShellRun } from "../shell/shell.ts";
import { ShellProcess } from "../shell/shell-process.ts";
import type { Say } from "./slow-progress.ts";
import { stopRequest, type StopRequest } from "../shell/stop-request.ts";
import type { RunInEnvironment } from "../sync/remote-tree.ts";
import { stays, TerminalShells, type StartFrom } from "./terminal-shells.ts";
import type { TerminalSync } from "./terminal-sync.ts";

const DEFAULT_OUTPUT_BYTES = 50_000;
const DEFAULT_BACKGROUND_BYTES = 200_000;

export interface PersistentTerminalOptions {
  readonly key: string;
  /** Where the first shell starts; the shell says where it really did. */
  readonly cwd: string;
  /** Rejects with `TerminalUnavailable`. */
  start(from: StartFrom): Promise<Shell>;
  files(terminal: PersistentTerminal): TerminalFiles;
  /**
   * Idle time after which the shells are put away; their state is kept and brought back by the next command. 0 keeps
   * them.
   */
  readonly idleMs: number;
  /** Maximum of parallel commands, if each needs a separate shell; further ones wait. Default: no limit. */
  readonly maxBeside?: number;
  readonly sync?: TerminalSync | undefined;
  /** The place's own name, by which a visit finds it again. Absent where nothing can be left in it. */
  readonly where?: (() => string | Promise<string>) | undefined;
  /** Called when the terminal accepts no more commands, and when everything it ran has ended. */
  closing(): void;
  closed(): void | Promise<void>;
}

/**
 * A terminal made of shells that stay open: one for commands in turn, and further ones for those that come while it is
 * busy.
 */
export class PersistentTerminal implements Terminal {
  readonly key: string;
  readonly files: TerminalFiles;
  readonly #options: PersistentTerminalOptions;
  readonly #shells: TerminalShells;
  readonly #lanes: Lanes;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  readonly #sync: PersistentSync;
  #spawned = false;
  #closing: Promise<void> | undefined;
  #closed = false;

  constructor(options: PersistentTerminalOptions) {
    this.key = options.key;
    this.#options = options;
    this.#shells = new TerminalShells({
      key: options.key,
      cwd: options.cwd,
      folder: () => this.#sync.folder,
      start: options.start,
      arrived: () => this.#sync.arrived(),
    });
    this.#lanes = new Lanes(options.maxBeside ?? Number.POSITIVE_INFINITY);
    this.#sync = new PersistentSync(options.sync, this.#runInEnvironment, () => this.#livingShell());
    this.files = options.files(this);
  }

  get cwd(): string {
    return this.#shells.cwd;
  }

  /** Starts the first shell, so that the place is known to be there. @throws {TerminalUnavailable} */
  async ready(say?: Say): Promise<void> {
    await this.#livingShell();
    await this.#sync.bring(say);
    this.#rest();
  }

  notes(): readonly string[] {
    return this.#sync.notes();
  }

  async sandbox(): Promise<SandboxBounds | undefined> {
    await this.ready();
    return this.#shells.sandbox();
  }

  async run(command: string, options: RunOptions): Promise<RunResult> {
    // Not performance.now: the global costs two milliseconds at its first use.
    const startedAt = process.hrtime.bigint();
    const saved = new RunOutput({
      maxBytes: Math.max(1, options.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES),
      spill: options.spill,
      onOutput: options.onOutput,
    });
    const done = (end: Pick<RunResult, "endedBy" | "exitCode" | "signal" | "reason">): RunResult => ({
      ...end,
      ...saved.result(end.endedBy === "timeout" || end.endedBy === "cancelled"),
      durationMs: Number(process.hrtime.bigint() - startedAt) / 1e6,
    });
    if (options.signal.aborted) return done({ endedBy: "cancelled" });
    if (command.includes("\0")) return done({ endedBy: "exit", exitCode: 2 });
    if (!(await this.#sync.broughtBefore(options))) return done({ endedBy: "cancelled" });
    using stop = stopRequest(options);
    const run: ShellRun = {
      command,
      cwd: options.cwd,
      stdin: options.stdin,
      stop: stop.asked,
      output: saved.push,
      onStarted: options.onStarted,
    };
    try {
      return done(
        resultEnd(options.beside === true ? await this.#beside(options.cwd, run) : await this.#inTurn(stop, run), stop),
      );
    } finally {
      this.#sync.touched();
      this.#rest();
    }
  }

  async spawn(command: string, options: SpawnOptions): Promise<Process> {
    this.#spawned = true;
    await this.#sync.bring();
    if (options.pty === true) await this.#needPseudoTerminal();
    const made = new ShellProcess(options.maxOutputBytes ?? DEFAULT_BACKGROUND_BYTES);
    await this.#copy(options.cwd, async (shell, from) => {
      made.attach(
        await shell.background({
          command: options.pty === true ? pseudoTerminalCommand(command, options.size) : command,
          output: made.push,
          ...from,
          exitFile: options.exitFile,
        }),
        this.#options.where,
      );
      void made.ended.then(() => this.#closed || this.#shells.aside.giveBack(shell));
    });
    return made;
  }

  /**
   * Runs a script of ours beside the commands, in the place; all that it writes is kept, and it is stopped when that is
   * more than `maxBytes`.
   * @param options.changes It changes files. Default false. @throws {TerminalUnavailable}
   */
  async serve(
    script: string,
    options: {
      readonly stdin: Uint8Array | undefined;
      readonly timeoutMs: number;
      readonly maxBytes?: number;
      readonly changes?: boolean;
    },
  ): Promise<ShellEnd & { readonly output: Buffer }> {
    const pieces: Buffer[] = [];
    const tooMuch = new AbortController();
    let left = options.maxBytes ?? Number.POSITIVE_INFINITY;
    using stop = stopRequest({ signal: tooMuch.signal, timeoutMs: options.timeoutMs });
    const output = (bytes: Uint8Array) => {
      left -= bytes.length;
      if (left < 0) tooMuch.abort();
      else pieces.push(Buffer.from(bytes));
    };
    if (options.changes === true) this.#sync.touched();
    const end = await this.#beside(undefined, {
      command: script,
      cwd: undefined,
      stdin: options.stdin,
      stop: stop.asked,
      output,
    });
    return { ...end, output: Buffer.concat(pieces) };
  }

  /** Brings back now what commands changed. @returns When files here were written for it lately. */
  async settle(): Promise<readonly Period[]> {
    await this.#settleHere();
    this.#sync.refresh();
    return this.#sync.written;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#options.closing();
    this.#sync.touched();
    await this.#settleHere();
    this.#closed = true;
    this.#shells.close();
    clearTimeout(this.#idleTimer);
    this.#sync.pause();
    try {
      await this.#shells.end();
    } finally {
      await this.#options.closed();
    }
  }

  /** A place that is gone is not made again for what was in it. */
  async #settleHere(): Promise<void> {
    const main = await this.#shells.main?.catch(() => undefined);
    if (main?.ended === false) await this.#sync.settle();
  }

  /** For the end of the process, when nothing can be waited for. */
  killNow(): void {
    this.#shells.killNow();
  }

  /** One command after the other; one that is cancelled while it waits never runs. */
  async #inTurn(stop: StopRequest, run: ShellRun): Promise<ShellEnd> {
    const before = this.#turn;
    const turn = Promise.withResolvers<void>();
    this.#turn = before.then(() => turn.promise);
    this.#waiting += 1;
    try {
      await Promise.race([before, stop.asked]);
      if (stop.reason !== undefined) return { kind: "stopped" };
      // A place that does not answer must not keep anybody waiting who has stopped.
      const living = this.#livingShell();
      await Promise.race([living, stop.asked]);
      if (stop.reason !== undefined) {
        living.catch(() => undefined);
        return { kind: "stopped" };
      }
      const shell = await living;
      const end = await shell.run({ ...run, cwd: this.#absolute(shell, run.cwd) });
      this.#shells.cwd = shell.cwd;
      if (shell.ended) await this.#shells.replace(shell);
      return end;
    } finally {
      this.#waiting -= 1;
      turn.resolve();
    }
  }

  /** One that is stopped while it waits for its turn, or for a shell, never runs. */
  async #beside(cwd: string | undefined, run: ShellRun): Promise<ShellEnd> {
    let state: "waits" | "runs" | "given up" = "waits";
    const start = async (shell: Shell, from: Pick<ShellRun, "cwd" | "exports">): Promise<ShellEnd> => {
      if (state === "given up") return { kind: "stopped" };
      state = "runs";
      return shell.runBeside({ ...run, ...from });
    };
    const work = this.#lanes.run(async (): Promise<ShellEnd> =>
      state === "given up" ? { kind: "stopped" } : this.#copy(cwd, start),
    );
    const stopped = run.stop.then(() => {
      if (state === "waits") state = "given up";
      return state === "given up" ? ({ kind: "stopped" } as const) : work;
    });
    work.catch(() => {}); // Reported below, unless the caller has stopped waiting.
    return Promise.race([work, stopped]);
  }

  /**
   * Uses a copy of the terminal's own shell while that waits, where it can be copied; otherwise another shell that
   * takes over directory and exported variables.
   */
  async #copy<T>(
    cwd: string | undefined,
    use: (shell: Shell, from: Pick<ShellRun, "cwd" | "exports">) => Promise<T>,
  ): Promise<T> {
    let aside: Shell | undefined;
    try {
      const main = await this.#livingShell();
      const there = this.#absolute(main, cwd);
      if (main.manyCopies && this.#waiting === 0 && main.idle) return await use(main, { cwd: there });
      aside = main.manyCopies ? await this.#shells.aside.shared() : await this.#shells.aside.own();
      return await use(aside, { cwd: there ?? this.cwd, exports: main.exportsFile() });
    } finally {
      if (aside !== undefined && !this.#closed) this.#shells.aside.giveBack(aside);
      this.#rest();
    }
  }

  /** @throws {TerminalUnavailable} */
  #livingShell(): Promise<Shell> {
    clearTimeout(this.#idleTimer);
    return this.#shells.living();
  }

  readonly #runInEnvironment: RunInEnvironment = async (script, options) => {
    const end = await this.serve(script, { stdin: undefined, ...options });
    if (end.kind === "exit") return { code: end.code, output: end.output };
    throw new TerminalUnavailable(
      end.kind === "lost"
        ? `the terminal backend was lost: ${end.reason}`
        : end.kind === "stopped"
          ? "the terminal backend took too long or sent too much output"
          : `the shell of the terminal backend was ended by ${end.signal}`,
    );
  };

  #rest(): void {
    clearTimeout(this.#idleTimer);
    if (!this.#closed) this.#sync.settleLater();
    if (this.#closed || this.#options.idleMs <= 0) return;
    this.#idleTimer = setTimeout(() => void this.#putAway().catch(stays), this.#options.idleMs);
    this.#idleTimer.unref();
  }

  async #putAway(): Promise<void> {
    if (this.#closed || this.#waiting > 0) return;
    const used = await this.#shells.inUse();
    if (this.#closed || this.#waiting > 0 || this.#shells.starting) return;
    if (used) return this.#rest();
    const { main } = this.#shells;
    if (main === undefined) return;
    if (this.#spawned) this.#sync.touched();
    await this.#sync.settle();
    if (this.#closed || this.#waiting > 0) return;
    const turn = Promise.withResolvers<void>();
    this.#turn = this.#turn.then(() => turn.promise);
    try {
      await this.#shells.retire(main);
    } finally {
      turn.resolve();
    }
  }

  async #needPseudoTerminal(): Promise<void> {
    const { signal } = new AbortController();
    const { exitCode } = await this.run(CAN_PSEUDO_TERMINAL, { signal, timeoutMs: 10_000, beside: true });
    if (exitCode !== 0)
      throw new TerminalUnavailable("A pseudo-terminal needs python3 or script, and neither is on PATH.", {
        hint: "Run it without pty, or install python3.",
      });
  }

  #absolute(shell: Shell, path: string | undefined): string | undefined {
    return path === undefined ? undefined : posix.resolve(this.cwd, atHome(path, shell.home));
  }
}

/** A path that starts with `~` as one that starts at the home directory. */
export function atHome(path: string, home: string): string {
  return path === "~" || path.startsWith("~/") ? home + path.slice(1) : path;
}

function resultEnd(end: ShellEnd, stop: StopRequest): Pick<RunResult, "endedBy" | "exitCode" | "signal" | "reason"> {
  switch (end.kind) {
    case "exit":
      return { endedBy: "exit", exitCode: end.code };
    case "signal":
      return { endedBy: "signal", signal: end.signal };
    case "stopped":
      return { endedBy: stop.reason ?? "cancelled" };
    case "lost":
      return { endedBy: "lost", reason: end.reason };
  }
}

import type { ChildProcess } from "node:child_process";
import type {
  DetachedHandle,
  RunOptions,
  ScreenSize,
  SpawnOptions,
  SandboxBounds,
} from "../../contract/providers/terminal.ts";

/**
 * A shell that stays open, wherever it runs: a `PersistentTerminal` sends it commands, one after the other or beside each
 * other.
 */
export interface Shell {
  /** Directory after the last command that ran in the shell itself. */
  readonly cwd: string;
  /** Home directory there. */
  readonly home: string;
  /** It can take a command. */
  readonly idle: boolean;
  readonly ended: boolean;
  /** Restrictions of the sandbox around the shell, if any. */
  readonly sandbox?: SandboxBounds | undefined;
  /**
   * True if any number of commands run in parallel in copies of one shell; else each such command has a separate shell.
   */
  readonly manyCopies: boolean;
  /** Runs in the shell itself, so that whatever it changes stays. Only when `idle`. */
  run(run: ShellRun): Promise<ShellEnd>;
  /** Runs in a copy of the shell. Only when `idle`. */
  runBeside(run: ShellRun): Promise<ShellEnd>;
  /** Starts a command whose input stays open. Only when `idle`. */
  background(run: BackgroundStart): Promise<BackgroundRun>;
  /** Path, as the shell sees it, of a file with the variables exported when the last command ended. */
  exportsFile(): string;
  /** Bash text that brings back what was exported, for a shell that takes over from one that is gone. */
  exports(): string | undefined;
  /** Whether something started here is still running. */
  inUse(): boolean | Promise<boolean>;
  /** Everything of the shell as bash text, after which the shell is over. Only when `idle`. */
  retire(): Promise<string | undefined>;
  /** Ends everything that was ever started here. */
  end(graceMs?: number): Promise<void>;
  /** As `end`, without waiting: for the exit of the Hermes process. */
  endNow(): void;
}

export interface ShellRun {
  readonly command: string;
  /** For this command only. */
  readonly cwd: string | undefined;
  readonly stdin: string | Uint8Array | undefined;
  /** The bytes are only good during the call. */
  readonly output: (bytes: Uint8Array) => void;
  /** Resolves when the command is to be stopped. */
  readonly stop: Promise<unknown>;
  /** See `RunOptions.onStarted`. */
  readonly onStarted?: RunOptions["onStarted"];
  /** For a run beside others that starts from another shell's state: where its exports are written. */
  readonly exports?: string;
}

export type BackgroundStart = Pick<ShellRun, "command" | "cwd" | "output" | "exports"> & Pick<SpawnOptions, "exitFile">;

/**
 * `signal`: the shell itself was killed. `stopped`: we ended it. `lost`: the place or the way to it went away, so what
 * happened is not known.
 */
export type ShellEnd =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "signal"; readonly signal: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "lost"; readonly reason: string };

export interface BackgroundRun {
  /** Process id in the environment. */
  readonly pid: number;
  /** Resolves when the bytes were taken; rejects when the input was closed or the process has ended. */
  write(text: string): Promise<void>;
  /** End of input. */
  endInput(): Promise<void>;
  /** Resolves when the command itself has ended, even if processes are left. Never, when it is killed. */
  readonly ended: Promise<{ readonly endedBy: "exit"; readonly exitCode: number } | { readonly endedBy: "lost" }>;
  kill(graceMs?: number): Promise<void>;
  /** Resizes the process's pseudo-terminal. */
  resize(size: ScreenSize): Promise<void>;
  /** See `Process.keep`. */
  keep?(log: () => string): Promise<void>;
  /** See `Process.leave`, which adds the name of the environment. */
  leave?(): Promise<Omit<DetachedHandle, "where">>;
}

/** How a shell is started on this machine. */
export interface Launch {
  readonly argv: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
  /**
   * Folder of its terminal, through which the terminal's shells are spoken to: it must see it, and no other terminal's.
   */
  readonly own: string;
}

export type WrappedLaunch = Launch & {
  /**
   * The process gets a channel of node's child processes as descriptor 3. The first command waits until this has ended.
   */
  channel?(child: ChildProcess): Promise<void>;
  /** Restrictions of the sandbox around the shell. */
  readonly sandbox?: SandboxBounds;
  /** Called when the shell and everything in it has ended. */
  ended?(): void;
};

/**
 * Puts a sandbox around a shell that is started on this machine: `bwrap … -- bash …`. Must keep the three pipes as they
 * are.
 */
export type WrapLaunch = (launch: Launch) => WrappedLaunch;

import type { UntrustedSource } from "../conversation/part.ts";
import type { Provider } from "../plugins/provider.ts";

/**
 * Slot `terminal`: a place where commands run. One terminal per key (task); opening an open key gives the same
 * terminal.
 */
export interface TerminalBackend extends Provider, AsyncDisposable {
  /** True if a command cannot touch the user's machine. Approval texts mention it; it never replaces an approval. */
  readonly isolated: boolean;
  /** True where the files are not this machine's: its paths mean nothing there. Default false. */
  readonly elsewhere?: boolean;
  /**
   * Folder of this machine that is kept like one of its places: what commands change there is changed here when their
   * files are brought back.
   */
  readonly synced?: string;
  /** Folder of this machine in which commands there work, although the rest of its files are others. */
  readonly mounted?: string;
  /**
   * Copies back what commands changed in the open environments. Later changes here reach the next command.
   * @returns When it last wrote files here.
   */
  settle?(): Promise<readonly Period[]>;
  /** The sandbox around commands of an environment that is not isolated. Absent: there never is one. */
  sandbox?(): Promise<SandboxState>;
  /** @throws {TerminalUnavailable} when the place cannot be reached. */
  open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal>;
}

/** Epoch ms. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/**
 * Whether commands run in a sandbox, with a short text for the user: what it lets through, or why there is none. `off`:
 * the user disabled it. `missing`: it is enabled but not available here.
 */
export type SandboxState =
  /** `refused`: what it kept commands from reaching, the newest last, and when (epoch ms). */
  | {
      readonly kind: "on";
      readonly words: string;
      readonly refused?: readonly { readonly words: string; readonly at: number }[];
    }
  | { readonly kind: "off"; readonly words: string }
  | { readonly kind: "missing"; readonly words: string; readonly hint: string };

export interface TerminalOptions {
  /** Task id. Two keys never share working directory, environment or sandbox. */
  readonly key: string;
  /** Where the first command runs. Default: the backend's own. */
  readonly cwd?: string;
  /** Runs outside the backend's sandbox. The caller must have an approval. Default false. */
  readonly outside?: boolean;
  /**
   * A look at processes left in an environment (`DetachedHandle.where`): starts or creates nothing, brings no files along,
   * and leaves it unchanged. Each visit is a separate terminal. Called only for backends whose processes can be left.
   */
  readonly visit?: string;
  /**
   * Reports what it waits for if opening takes longer than a moment: an environment that starts, files being copied.
   */
  readonly onProgress?: (words: string) => void;
}

export interface Terminal extends AsyncDisposable {
  readonly key: string;
  /** Working directory after the last command that ran alone. */
  readonly cwd: string;
  /**
   * Runs one command and waits for its end, however it ends.
   * @throws {TerminalUnavailable} The backend itself is gone. A failing command never throws.
   */
  run(command: string, options: RunOptions): Promise<RunResult>;
  /** Starts a command that goes on beside the terminal. @throws {TerminalUnavailable} */
  spawn(command: string, options: SpawnOptions): Promise<Process>;
  /**
   * Starts what the first command would have to wait for, where that is worth something. @throws {TerminalUnavailable}
   */
  ready?(): Promise<void>;
  /** Further notes for the user about the environment, such as a sync conflict; each is reported once. */
  notes?(): readonly string[];
  /**
   * The sandbox that encloses its commands, as the kernel reports it and not as configured. `undefined`: none.
   * @throws {TerminalUnavailable}
   */
  sandbox?(): Promise<SandboxBounds | undefined>;
  readonly files: TerminalFiles;
}

/** The rights of sandboxed commands on the machine outside. */
export interface SandboxBounds {
  /** Absolute paths without links: nothing else can be written, deleted or changed. */
  readonly write: readonly string[];
  /** They can signal each other only. */
  readonly ownProcesses: boolean;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** For this command only; does not move the terminal. Default: the terminal's. */
  readonly cwd?: string;
  /** Wall time before the whole process tree is killed; the result then says `endedBy: "timeout"`. */
  readonly timeoutMs: number;
  /** Default: empty. */
  readonly stdin?: string | Uint8Array;
  /** Kept output, 40 % head and 60 % tail. Default 50 000. */
  readonly maxOutputBytes?: number;
  /**
   * A file of this machine for output that is too long to be kept: from its first byte, up to the cap. Default: none.
   */
  readonly spill?: { readonly path: string; readonly maxBytes: number };
  /**
   * Runs beside other commands, from the terminal's present directory and environment, and changes neither. Default
   * false.
   */
  readonly beside?: boolean;
  /** Reports what it waits for before the command runs, if that takes longer than a moment. */
  readonly onProgress?: (words: string) => void;
  /** Output as it comes, for progress. Capped by the backend, may skip. */
  onOutput?(text: string): void;
  /**
   * Called once the command runs, by environments that can list its processes: their pids as the environment numbers
   * them, parents first. Listing costs the environment some work.
   */
  onStarted?(look: () => Promise<readonly number[]>): void;
}

/**
 * `output` interleaves stdout and stderr as the command wrote them. `exitCode` is set if `endedBy` is `exit`. `lost`:
 * the environment, or the connection to it, failed while the command ran; it may have run completely, in part or not at
 * all, and is never rerun automatically.
 */
export interface RunResult {
  readonly endedBy: "exit" | "timeout" | "cancelled" | "signal" | "lost";
  readonly exitCode?: number;
  readonly signal?: string;
  /** The lost part, if `endedBy` is `lost`. */
  readonly reason?: string;
  readonly output: string;
  /** Where the whole output is, when `spill` was asked for and needed, and how many of its bytes. */
  readonly spilled?: { readonly path: string; readonly bytes: number };
  /** Bytes left out between head and tail. */
  readonly omittedBytes: number;
  readonly durationMs: number;
}

export interface SpawnOptions {
  readonly cwd?: string;
  /** A pseudo-terminal; `TerminalUnavailable` names what is missing where there is none. Default false. */
  readonly pty?: boolean;
  /** Size of the pseudo-terminal at its start. Default: 30 rows and 120 columns. */
  readonly size?: ScreenSize;
  /** Kept output, the newest. Default 200 000. */
  readonly maxOutputBytes?: number;
  /**
   * A local file that receives its exit code as a line, even if no process of ours is alive at its end. Only local
   * environments write it.
   */
  readonly exitFile?: string;
}

export interface ScreenSize {
  readonly rows: number;
  readonly columns: number;
}

/** A running background command. Killing takes its whole tree, `setsid` grandchildren included. */
export interface Process {
  readonly pid: number | undefined;
  /** Kept output so far and how many bytes were dropped before it. */
  output(): { readonly text: string; readonly droppedBytes: number };
  write(text: string): Promise<void>;
  /** End of input. */
  end(): Promise<void>;
  /** @param graceMs How long its processes may take to end. Default: the environment's. */
  kill(graceMs?: number): Promise<void>;
  /**
   * Resizes its pseudo-terminal and notifies its programs. Does nothing without one. Absent where resizing is not
   * supported.
   */
  resize?(size: ScreenSize): Promise<void>;
  /**
   * Detaches it: it outlives the terminal and the agent, and its output is appended to a file and reported to no one
   * else. Absent where detaching is not supported.
   * @param log Called for the file's path once all earlier output has been reported.
   * @throws {TerminalUnavailable} It has ended, or the sandbox around it ends with us.
   */
  keep?(log: () => string): Promise<void>;
  /**
   * Detaches a process in a remote environment: it runs on there, with a log and a file for its exit code. Absent if
   * the environment is deleted with its task.
   * @throws {TerminalUnavailable} It has ended, or its place does not answer.
   */
  leave?(): Promise<DetachedHandle>;
  /** Resolves once, when the process and its output have ended. */
  readonly ended: Promise<{
    readonly endedBy: "exit" | "signal" | "killed" | "lost";
    readonly exitCode?: number;
    readonly signal?: string;
  }>;
  /** Called with new output until disposed. */
  onOutput(listener: (text: string) => void): Disposable;
}

/** Finds a process again that was left in a remote environment. */
export interface DetachedHandle {
  /** The place's own name: a container, an instance, a host. */
  readonly where: string;
  /** The process's folder in that environment: it holds the log and the exit code. */
  readonly folder: string;
  readonly pid: number;
  /** Environment variable `HERMES_RUN` of everything that it started. */
  readonly mark: string;
}

/**
 * The path is what `resolve` gave and was judged: no link is followed in it, and one that was put there since is a
 * `conflict`.
 */
export interface Judged {
  readonly judged: true;
  /**
   * For a file with several names: called with the identity of the opened file before any of it is read, if the
   * environment reports identities. A rejection becomes that of the read.
   */
  opened?(stat: FileStat, path: string): Promise<void>;
}

/** Files as the terminal's commands see them. Relative paths start at the terminal's working directory. */
export interface TerminalFiles {
  /** `stat` tells the identity of files with more than one name. */
  readonly reportsIdentity?: true;
  /** Absolute path with symbolic links resolved as far as it exists. */
  resolve(path: string): Promise<string>;
  stat(path: string): Promise<FileStat | undefined>;
  /**
   * `undefined` when it does not exist. `from`/`bytes` read a slice. Regular files only; anything else rejects with
   * `ToolFailure`.
   */
  read(
    path: string,
    slice?: { readonly from: number; readonly bytes: number },
    how?: Judged,
  ): Promise<Uint8Array | undefined>;
  /**
   * Atomic: written beside and renamed, mode kept, parents made. `expect` refuses when the file changed since that
   * stat.
   */
  write(
    path: string,
    bytes: Uint8Array,
    expect?: { readonly modifiedMs: number; readonly bytes: number } | "absent",
    how?: Judged,
  ): Promise<void>;
  remove(path: string, how?: Judged): Promise<void>;
  /** Target must not exist. */
  move(from: string, to: string, how?: Judged): Promise<void>;
  list(path: string): Promise<readonly { readonly name: string; readonly kind: FileStat["kind"] }[]>;
}

export interface FileStat {
  readonly kind: "file" | "directory" | "other";
  readonly bytes: number;
  /** Epoch ms. */
  readonly modifiedMs: number;
  readonly mode: number;
  /** If a file has several names (hard links): a value that all of them share. */
  readonly identity?: string;
}

/** The place itself is gone or cannot be reached (container stopped, ssh lost, program missing). */
export class TerminalUnavailable extends Error {
  readonly hint: string | undefined;
  /** It is no more, for certain, and nothing that ran in it. */
  readonly gone: boolean;
  /** Set if the message repeats untrusted text: that of the service that runs the environment. */
  readonly from: UntrustedSource | undefined;

  constructor(
    message: string,
    options: { hint?: string; cause?: unknown; gone?: boolean; from?: UntrustedSource | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "TerminalUnavailable";
    this.hint = options.hint;
    this.gone = options.gone === true;
    this.from = options.from;
  }
}

import type { UntrustedSource } from "../conversation/part.ts";
import type { Provider } from "../plugins/provider.ts";

/** Slot `terminal`: a place where commands run. One terminal per key (task); opening an open key gives the same terminal. */
export interface TerminalBackend extends Provider, AsyncDisposable {
  /** True where a command cannot touch the person's machine. Approval texts say so; nothing is waved through for it. */
  readonly isolated: boolean;
  /** True where the files are not this machine's: its paths mean nothing there. Default false. */
  readonly elsewhere?: boolean;
  /** Folder of this machine that is kept like one of its places: what commands change there is changed here when their files are brought back. */
  readonly synced?: string;
  /** Folder of this machine in which commands there work, although the rest of its files are others. */
  readonly mounted?: string;
  /**
   * Brings back now what commands changed in the places that are open. What is changed here afterwards is there for the next command.
   * @returns When files here were written for it lately.
   */
  settle?(): Promise<readonly Period[]>;
  /** What encloses the commands of a place that is not isolated. Absent: nothing ever does. */
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
 * Whether commands run in a sandbox, each time with a few words that a person reads: what it lets through, or why there is none.
 * `off`: nobody wants one. `missing`: one is wanted and cannot be had here.
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
  /** Not in the backend's sandbox. Whoever asks for it has asked a person. Default false. */
  readonly outside?: boolean;
  /**
   * A look at what was left running in a place (`KeptGrip.where`): none is started or made for it, no files are brought along, and it stays as it is.
   * Each visit is a terminal of its own. Only asked of backends whose processes can be left.
   */
  readonly visit?: string;
  /** What is being waited for, in words, where opening it takes longer than a moment: a place that starts, files on their way there. */
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
  /** Starts what the first command would have to wait for, where that is worth something. @throws {TerminalUnavailable} */
  ready?(): Promise<void>;
  /** What a person should know of the place besides, such as a conflict of synced files: each thing once. */
  notes?(): readonly string[];
  /** What keeps its commands in, by the kernel's word and not by the configuration's. `undefined`: nothing does. @throws {TerminalUnavailable} */
  sandbox?(): Promise<SandboxBounds | undefined>;
  readonly files: TerminalFiles;
}

/** What commands in a sandbox can do to the machine around it. */
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
  /** A file of this machine for output that is too long to be kept: from its first byte, up to the cap. Default: none. */
  readonly spill?: { readonly path: string; readonly maxBytes: number };
  /** Runs beside other commands, from the terminal's present directory and environment, and changes neither. Default false. */
  readonly beside?: boolean;
  /** What is being waited for before the command runs, in words, where that takes longer than a moment. */
  readonly onProgress?: (words: string) => void;
  /** Output as it comes, for progress. Capped by the backend, may skip. */
  onOutput?(text: string): void;
  /** Told when it is on its way, by places that can be asked what it runs: its processes as the place numbers them, parents first. Asking costs the place something. */
  onStarted?(look: () => Promise<readonly number[]>): void;
}

/**
 * `output` interleaves stdout and stderr as the command wrote them. `exitCode` is set when `endedBy` is `exit`. `lost`: the place, or the
 * way to it, went away in mid-command; it may have run to its end, in part or not at all, and is never run again by itself.
 */
export interface RunResult {
  readonly endedBy: "exit" | "timeout" | "cancelled" | "signal" | "lost";
  readonly exitCode?: number;
  readonly signal?: string;
  /** What went away, when `endedBy` is `lost`. */
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
  /** Of the pseudo-terminal at its start. Default: 30 rows and 120 columns. */
  readonly size?: ScreenSize;
  /** Kept output, the newest. Default 200 000. */
  readonly maxOutputBytes?: number;
  /** A file of this machine that gets its exit code, as a line, also when nobody lives to hear of its end. Other places than this machine make none. */
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
  /** @param graceMs How long what it started may take to end by itself. Default: what the place takes. */
  kill(graceMs?: number): Promise<void>;
  /** Its pseudo-terminal has another size now, and its programs are told. Nothing happens where it has none. Absent where nothing can. */
  resize?(size: ScreenSize): Promise<void>;
  /**
   * From now on it outlives the terminal and the agent, and what it writes is added to a file and told to nobody else. Absent where nothing can.
   * @param log Asked for the file's path once all that was written before has been told.
   * @throws {TerminalUnavailable} Not this one: it has ended, or a sandbox around it ends with us.
   */
  keep?(log: () => string): Promise<void>;
  /**
   * The same in a place elsewhere: it stays there, and with it a log and the exit code. Absent where the place is put away with its task.
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

/** What finds a process again that was left in a place elsewhere. */
export interface DetachedHandle {
  /** The place's own name: a container, an instance, a host. */
  readonly where: string;
  /** Its folder there. */
  readonly folder: string;
  readonly pid: number;
  /** What all that it started carries in its environment as `HERMES_RUN`. */
  readonly mark: string;
}

/** The path is what `resolve` gave and was judged: no link is followed in it, and one that was put there since is a `conflict`. */
export interface Judged {
  readonly judged: true;
  /** Of a file with more than one name: told what was opened before any of it is read, where the place tells identities. A rejection is the read's. */
  opened?(stat: FileStat, path: string): Promise<void>;
}

/** Files as the terminal's commands see them. Relative paths start at the terminal's working directory. */
export interface TerminalFiles {
  /** `stat` tells the identity of files with more than one name. */
  readonly reportsIdentity?: true;
  /** Absolute path with symbolic links resolved as far as it exists. */
  resolve(path: string): Promise<string>;
  stat(path: string): Promise<FileStat | undefined>;
  /** `undefined` when it does not exist. `from`/`bytes` read a slice. Regular files only; anything else rejects with `ToolFailure`. */
  read(
    path: string,
    slice?: { readonly from: number; readonly bytes: number },
    how?: Judged,
  ): Promise<Uint8Array | undefined>;
  /** Atomic: written beside and renamed, mode kept, parents made. `expect` refuses when the file changed since that stat. */
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
  /** Of a file with more than one name (hard links) what all of them share. */
  readonly identity?: string;
}

/** The place itself is gone or cannot be reached (container stopped, ssh lost, program missing). */
export class TerminalUnavailable extends Error {
  readonly hint: string | undefined;
  /** It is no more, for certain, and nothing that ran in it. */
  readonly gone: boolean;
  /** Whose words it repeats, when they are a stranger's: those of the service whose place it is. */
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

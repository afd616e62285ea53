import { TerminalUnavailable, type SandboxBounds } from "../../contract/providers/terminal.ts";
import { AsideShells } from "../shell/idle-shells.ts";
import type { Shell } from "../shell/shell.ts";

export interface StartFrom {
  readonly cwd: string;
  /** Made when it is not there. */
  readonly folder: string | undefined;
  /** Bash text that brings back an earlier shell's state. */
  readonly state: string | undefined;
  /** For parallel commands, which inherit the exported variables: it reads no profile. */
  readonly beside: boolean;
}

interface TerminalShellsOptions {
  /** Key of the terminal. */
  readonly key: string;
  /** Where the first shell starts. */
  readonly cwd: string;
  /** See `StartFrom.folder`. */
  folder(): string | undefined;
  /** Rejects with `TerminalUnavailable`. */
  start(from: StartFrom): Promise<Shell>;
  /** The shell for commands in turn has started. */
  arrived(): void;
}

/**
 * The shells of one terminal: the one for commands in turn, which is replaced when it is gone, and those for commands
 * beside it.
 */
export class TerminalShells {
  readonly aside: AsideShells;
  readonly #options: TerminalShellsOptions;
  #state: string | undefined;
  #main: Promise<Shell> | undefined;
  readonly #starting = new Set<Promise<Shell>>();
  readonly #all = new Set<Shell>();
  #closed = false;
  /** Where the terminal is. */
  cwd: string;

  constructor(options: TerminalShellsOptions) {
    this.#options = options;
    this.cwd = options.cwd;
    this.aside = new AsideShells(
      () => this.#start(undefined, true),
      (shell) => void this.#drop(shell).catch(stays),
    );
  }

  /** The shell for commands in turn, if there is one. */
  get main(): Promise<Shell> | undefined {
    return this.#main;
  }

  get starting(): boolean {
    return this.#starting.size > 0;
  }

  /** No further shell is started. */
  close(): void {
    this.#closed = true;
  }

  /** The shell for commands in turn. @throws {TerminalUnavailable} */
  async living(): Promise<Shell> {
    const shell = await this.#mainShell();
    if (!shell.ended) return shell;
    await this.replace(shell);
    return this.#mainShell();
  }

  /** The shell was killed or turned into another program: the next one starts with what it had exported. */
  async replace(shell: Shell): Promise<void> {
    if ((await this.#main) !== shell) return;
    this.#state = shell.exports() ?? this.#state;
    this.#main = undefined;
    if (await shell.inUse()) return;
    this.#all.delete(shell);
    await shell.end(0);
  }

  /** The bounds that hold for all of them; `undefined` if they differ or are unknown. */
  sandbox(): SandboxBounds | undefined {
    const each = [...this.#all].map((shell) => shell.sandbox);
    if (this.starting || each.length === 0 || !each.every((sandbox) => sandbox !== undefined)) return undefined;
    return { write: each.flatMap(({ write }) => write), ownProcesses: each.every(({ ownProcesses }) => ownProcesses) };
  }

  async inUse(): Promise<boolean> {
    return (await Promise.all([...this.#all].map((shell) => !shell.ended && (!shell.idle || shell.inUse())))).includes(
      true,
    );
  }

  /**
   * Puts all of them away; what the one for commands in turn held is brought back by the next. Only when none is in
   * use.
   */
  async retire(main: Promise<Shell>): Promise<void> {
    const shell = await main;
    this.#state = (await shell.retire()) ?? this.#state;
    this.#main = undefined;
    this.aside.forget();
    this.#all.delete(shell);
    await Promise.all([...this.#all].map((other) => other.end(0)));
    this.#all.clear();
  }

  /** Ends all of them, with everything that was ever started in them. */
  async end(): Promise<void> {
    await Promise.allSettled([this.#main, ...this.#starting]);
    await Promise.all([...this.#all].map((shell) => shell.end()));
  }

  /** For the end of the process, when nothing can be waited for. */
  killNow(): void {
    for (const shell of this.#all) shell.endNow();
  }

  #mainShell(): Promise<Shell> {
    if (this.#closed) throw new TerminalUnavailable(`The terminal ${JSON.stringify(this.#options.key)} was closed.`);
    if (this.#main === undefined) {
      this.#main = this.#start(this.#state, false).then((shell) => {
        this.cwd = shell.cwd;
        this.#options.arrived();
        return shell;
      });
      this.#main.catch(() => (this.#main = undefined));
    }
    return this.#main;
  }

  async #start(state: string | undefined, beside: boolean): Promise<Shell> {
    const starting = this.#options.start({ cwd: this.cwd, folder: this.#options.folder(), state, beside });
    this.#starting.add(starting);
    try {
      const shell = await starting;
      this.#all.add(shell);
      return shell;
    } finally {
      this.#starting.delete(starting);
    }
  }

  async #drop(shell: Shell): Promise<void> {
    if (!shell.ended && (await shell.inUse())) return;
    this.#all.delete(shell);
    await shell.end(0);
  }
}

/** Cleanup of an unused shell failed. The next command finds one that has ended, and starts another. */
export function stays(): void {}

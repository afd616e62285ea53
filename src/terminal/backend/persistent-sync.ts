import type { Period, RunOptions } from "../../contract/providers/terminal.ts";
import { slowProgress, type Say } from "./slow-progress.ts";
import { stopRequest } from "../shell/stop-request.ts";
import type { RunInEnvironment } from "../sync/remote-tree.ts";
import type { TerminalSync } from "./terminal-sync.ts";

/** After the last command its results are brought back, unless another one comes. */
const QUIET_MS = 1_000;

/**
 * When the files of a terminal's place are compared with ours: before each command, and after the last one. Nothing of
 * it happens without a sync.
 */
export class PersistentSync {
  readonly #sync: TerminalSync | undefined;
  readonly #run: RunInEnvironment;
  readonly #alive: () => Promise<unknown>;
  #timer: NodeJS.Timeout | undefined;
  #settling: Promise<void> = Promise.resolve();
  /** Something has run whose results were not brought back. */
  #unsettled = false;

  /**
   * @param alive Resolves once the environment has a shell: a lost one is reported, and a new one gets its files first.
   */
  constructor(sync: TerminalSync | undefined, run: RunInEnvironment, alive: () => Promise<unknown>) {
    this.#sync = sync;
    this.#run = run;
    this.#alive = alive;
  }

  get folder(): string | undefined {
    return this.#sync?.folder;
  }

  arrived(): void {
    this.#sync?.arrived();
  }

  refresh(): void {
    this.#sync?.refresh();
  }

  get written(): readonly Period[] {
    return this.#sync?.written ?? [];
  }

  notes(): readonly string[] {
    return this.#sync?.notes() ?? [];
  }

  /** Before a command. */
  async bring(say?: Say): Promise<void> {
    this.pause();
    if (this.#sync === undefined) return;
    await this.#alive();
    await this.#sync.before(this.#run, say);
  }

  /** Before a command whose own time has not begun yet. False when it was cancelled. */
  async broughtBefore({ signal, onProgress }: Pick<RunOptions, "signal" | "onProgress">): Promise<boolean> {
    if (this.#sync === undefined) return true;
    using slow = slowProgress(onProgress, "Comparing files with the terminal backend");
    using cancel = stopRequest({ signal, timeoutMs: Number.MAX_SAFE_INTEGER });
    const bringing = this.bring(slow.say);
    bringing.catch(() => {}); // Reported below, unless the caller has stopped waiting.
    await Promise.race([bringing, cancel.asked]);
    return cancel.reason === undefined;
  }

  /** Files of the place may have changed. */
  touched(): void {
    this.#unsettled = true;
  }

  /** After commands. One that is under way already is waited for. */
  async settle(): Promise<void> {
    if (this.#sync !== undefined && this.#unsettled) {
      this.#unsettled = false;
      this.#settling = this.#sync.settle(this.#run);
    }
    await this.#settling;
  }

  /** Settles when nothing comes for a while. */
  settleLater(): void {
    if (this.#sync === undefined || !this.#unsettled) return;
    this.pause();
    this.#timer = setTimeout(() => void this.settle(), QUIET_MS);
    this.#timer.unref();
  }

  pause(): void {
    clearTimeout(this.#timer);
  }
}

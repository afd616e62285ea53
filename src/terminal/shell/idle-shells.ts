import type { Shell } from "./shell.ts";

/** Idle shells that are kept for the next commands. */
const SPARE = 4;

/** Shells for commands beside others: one for all of them where a shell can be copied, else one for each. */
export class AsideShells {
  readonly #start: () => Promise<Shell>;
  readonly #drop: (shell: Shell) => void;
  #shared: Promise<Shell> | undefined;
  #spare: Shell[] = [];

  /** @param drop Called with a shell that is no longer needed. */
  constructor(start: () => Promise<Shell>, drop: (shell: Shell) => void) {
    this.#start = start;
    this.#drop = drop;
  }

  /** One to make copies of. */
  async shared(): Promise<Shell> {
    if ((await this.#shared)?.ended === true) this.#shared = undefined;
    return (this.#shared ??= this.#start());
  }

  /** A shell for exclusive use, until it is returned. */
  async own(): Promise<Shell> {
    for (let shell = this.#spare.pop(); shell !== undefined; shell = this.#spare.pop()) {
      if (!shell.ended) return shell;
      this.#drop(shell);
    }
    return this.#start();
  }

  giveBack(shell: Shell): void {
    if (shell.manyCopies || !shell.idle || this.#spare.includes(shell)) return;
    if (this.#spare.length < SPARE) this.#spare.push(shell);
    else this.#drop(shell);
  }

  /** All of them have ended. */
  forget(): void {
    this.#shared = undefined;
    this.#spare = [];
  }
}

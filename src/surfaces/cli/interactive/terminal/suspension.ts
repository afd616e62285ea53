/** A screen that can leave the terminal to the shell and take it again. */
export interface Suspendable {
  leave(): void;
  enter(): void;
}

/** The program was not stopped if it still runs after this time and no signal to continue has come. */
const NOT_STOPPED_MS = 50;

/**
 * Suspends the program like a shell job, and draws the screen again when it continues, whoever stopped it. Without job
 * control (the window was opened for this program) the system ignores the signal, and the screen returns at once.
 */
export class Suspension implements Disposable {
  readonly #screen: Suspendable;
  #left = false;

  constructor(screen: Suspendable) {
    this.#screen = screen;
    process.on("SIGCONT", this.#return);
  }

  suspend(): void {
    if (process.platform === "win32") return;
    this.#screen.leave();
    this.#left = true;
    // The whole group, as the terminal does: the shell watches the program that it started, not this process.
    process.kill(0, "SIGTSTP");
    setTimeout(() => setImmediate(() => this.#left && this.#return()), NOT_STOPPED_MS);
  }

  [Symbol.dispose](): void {
    this.#left = false;
    process.off("SIGCONT", this.#return);
  }

  /** The shell has used the terminal meanwhile and has changed its modes. */
  readonly #return = (): void => {
    if (!this.#left) this.#screen.leave();
    this.#left = false;
    this.#screen.enter();
  };
}

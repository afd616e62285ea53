import type { Period } from "../../contract/providers/terminal.ts";
import type { Say } from "./slow-progress.ts";
import { PersistentTerminal, type PersistentTerminalOptions } from "./persistent-terminal.ts";

/** The terminals of a backend by key. Their processes are killed when this process ends without disposing them. */
export class PersistentTerminals implements AsyncDisposable {
  readonly #open = new Map<string, PersistentTerminal>();
  /** Terminals that have not ended, including those that are closing. */
  readonly #unended = new Set<PersistentTerminal>();
  readonly #onExit = () => {
    for (const terminal of this.#unended) terminal.killNow();
  };

  get(key: string): PersistentTerminal | undefined {
    return this.#open.get(key);
  }

  /** @param closed Run when all that the terminal ran has ended. */
  add(
    options: Omit<PersistentTerminalOptions, "closing" | "closed">,
    closed?: () => void | Promise<void>,
  ): PersistentTerminal {
    if (this.#unended.size === 0) process.on("exit", this.#onExit);
    const terminal = new PersistentTerminal({
      ...options,
      closing: () => {
        if (this.#open.get(options.key) === terminal) this.#open.delete(options.key);
      },
      closed: async () => {
        this.#unended.delete(terminal);
        if (this.#unended.size === 0) process.off("exit", this.#onExit);
        await closed?.();
      },
    });
    this.#unended.add(terminal);
    this.#open.set(options.key, terminal);
    return terminal;
  }

  /**
   * The open terminal of that key, or a new one whose first shell has started. @param say What is being waited for.
   * @throws {TerminalUnavailable}
   */
  async open(
    options: Omit<PersistentTerminalOptions, "closing" | "closed">,
    closed?: () => void | Promise<void>,
    say?: Say,
  ): Promise<PersistentTerminal> {
    const known = this.get(options.key);
    if (known !== undefined) return known;
    const terminal = this.add(options, closed);
    try {
      await terminal.ready(say);
    } catch (error) {
      await terminal[Symbol.asyncDispose]();
      throw error;
    }
    return terminal;
  }

  /** Brings back now what commands of the open ones changed. @returns When files here were written for it lately. */
  async settle(): Promise<readonly Period[]> {
    return (await Promise.all([...this.#open.values()].map((terminal) => terminal.settle()))).flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.values()].map((terminal) => terminal[Symbol.asyncDispose]()));
  }
}

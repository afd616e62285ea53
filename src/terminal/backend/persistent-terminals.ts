import type { Period } from "../../contract/providers/terminal.ts";
import type { Say } from "./slow-progress.ts";
import { KeptTerminal, type KeptTerminalOptions } from "./persistent-terminal.ts";

/** The terminals of a backend by key. What they run is killed when the process ends without having disposed them. */
export class KeptTerminals implements AsyncDisposable {
  readonly #open = new Map<string, KeptTerminal>();
  /** Those being closed included. */
  readonly #unended = new Set<KeptTerminal>();
  readonly #onExit = () => {
    for (const terminal of this.#unended) terminal.killNow();
  };

  get(key: string): KeptTerminal | undefined {
    return this.#open.get(key);
  }

  /** @param closed Run when all that the terminal ran has ended. */
  add(options: Omit<KeptTerminalOptions, "closing" | "closed">, closed?: () => void | Promise<void>): KeptTerminal {
    if (this.#unended.size === 0) process.on("exit", this.#onExit);
    const terminal = new KeptTerminal({
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

  /** The open terminal of that key, or a new one whose first shell has started. @param say What is being waited for. @throws {TerminalUnavailable} */
  async open(
    options: Omit<KeptTerminalOptions, "closing" | "closed">,
    closed?: () => void | Promise<void>,
    say?: Say,
  ): Promise<KeptTerminal> {
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

import type { PluginContext } from "../../../contract/plugins/plugin.ts";

type Work = Parameters<PluginContext["registering"]>[0];
type Patience = Parameters<PluginContext["registering"]>[1];

/** Registrations that plugins make on first use, and how long sessions wait for them. */
export class LaterRegistrations {
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #begun = new Set<Promise<void>>();
  readonly #say: (text: string) => void;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  expect(work: Work, patience: Patience): void {
    this.#waiting.push(() => this.#begin(work, patience));
  }

  /** Starts the pending registrations. Resolves when they are complete or the time limit has passed. */
  async settled(): Promise<void> {
    for (const begin of this.#waiting.splice(0)) {
      const begun = begin().finally(() => this.#begun.delete(begun));
      this.#begun.add(begun);
    }
    await Promise.all(this.#begun);
  }

  async #begin(work: Work, { patienceMs, late }: Patience): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const message = work().then(
      (sentences) => sentences.forEach((text) => this.#say(text)),
      (cause: unknown) => this.#say(cause instanceof Error ? cause.message : String(cause)),
    );
    const patience = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), patienceMs)));
    if ((await Promise.race([message, patience])) === "late") this.#say(late());
    clearTimeout(timer);
  }
}

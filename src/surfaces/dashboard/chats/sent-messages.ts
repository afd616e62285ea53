import type { Recorded } from "../../../contract/conversation/fact.ts";
import { inputByFacts } from "../../shared/conversation/turn-answer.ts";

/** The messages of pages that a session has stored or is about to: one that is sent again is handled once. */
export class SentMessages {
  /** Messages that the session has not stored yet. */
  readonly #sending = new Map<string, PromiseWithResolvers<void>>();
  /** Ids of the inputs that were stored since the chat was opened. */
  readonly #stored = new Set<string>();

  get any(): boolean {
    return this.#sending.size > 0;
  }

  has(inputId: string): boolean {
    return this.#stored.has(inputId);
  }

  /** Called with each stored input. */
  stored(inputId: string): void {
    this.#stored.add(inputId);
    this.#sending.get(inputId)?.resolve();
  }

  /**
   * Sends a message unless it was sent before. Resolves when it is stored.
   * @param facts The stored facts, for a message that an earlier process may have stored.
   * @param send Rejects if the message or its turn could not be stored.
   */
  async once(
    inputId: string,
    facts: (() => Promise<readonly Recorded[]>) | undefined,
    send: () => Promise<{ readonly ended: Promise<unknown> }>,
  ): Promise<void> {
    const before = this.#sending.get(inputId);
    if (before !== undefined) return before.promise;
    if (this.#stored.has(inputId)) return;
    const stored = Promise.withResolvers<void>();
    this.#sending.set(inputId, stored);
    stored.promise.catch(() => undefined); // Thrown below; a second request for it has its own.
    try {
      if (facts !== undefined && inputByFacts(await facts(), inputId) !== "unknown") return stored.resolve();
      const { ended } = await send();
      ended.then(() => stored.resolve(), stored.reject);
      await stored.promise;
    } catch (cause) {
      stored.reject(cause);
      throw cause;
    } finally {
      this.#sending.delete(inputId);
    }
  }
}

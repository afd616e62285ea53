import type { TurnEnd } from "../../contract/conversation/session.ts";

/** The senders of waiting inputs, each to be notified once of how its turn ended. */
export class InputWaiters {
  readonly #waiting = new Map<string, PromiseWithResolvers<TurnEnd>>();

  /** How the turn ends that takes this input in. */
  wait(inputId: string): Promise<TurnEnd> {
    const waiter = Promise.withResolvers<TurnEnd>();
    waiter.promise.catch(() => {}); // Notifies the sender; a caller that is gone causes no crash.
    this.#waiting.set(inputId, waiter);
    return waiter.promise;
  }

  forget(inputId: string): void {
    this.#waiting.delete(inputId);
  }

  ended(inputIds: readonly string[], end: TurnEnd): void {
    for (const waiter of this.#take(inputIds)) waiter.resolve(end);
  }

  failed(inputIds: readonly string[], cause: unknown): void {
    for (const waiter of this.#take(inputIds)) waiter.reject(cause);
  }

  /** Notifies all others that their input gets no turn here. */
  giveUp(cause: Error, but: readonly string[] = []): void {
    this.failed(
      [...this.#waiting.keys()].filter((inputId) => !but.includes(inputId)),
      cause,
    );
  }

  #take(inputIds: readonly string[]): readonly PromiseWithResolvers<TurnEnd>[] {
    return inputIds.flatMap((inputId) => {
      const waiter = this.#waiting.get(inputId);
      this.#waiting.delete(inputId);
      return waiter === undefined ? [] : [waiter];
    });
  }
}

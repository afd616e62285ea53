import type { Answer, Prompter, Question } from "../../../contract/conversation/question.ts";

export type Approval = Extract<Question, { readonly kind: "approval" }>;

/** Receives the questions of a run. */
export interface Watcher {
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>;
}

/** Asks in API sessions: a run's watcher, otherwise no one. A question without an answer is denied. */
export class ApiPrompter implements Prompter {
  #watcher: Watcher | undefined;

  /** Sends the questions of the running turn to the watcher, until disposed. */
  watch(watcher: Watcher): Disposable {
    this.#watcher = watcher;
    return { [Symbol.dispose]: () => void (this.#watcher === watcher && (this.#watcher = undefined)) };
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    if (this.#watcher === undefined || question.kind !== "approval") return { kind: "none", reason: "nobody" };
    return signal.aborted ? { kind: "none", reason: "cancelled" } : this.#watcher.ask(question, signal);
  }
}

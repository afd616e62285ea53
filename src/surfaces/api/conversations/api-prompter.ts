import type { Answer, Prompter, Question } from "../../../contract/conversation/question.ts";

export type Approval = Extract<Question, { readonly kind: "approval" }>;

/** Who can be asked while a run goes on: whoever watches it. */
export interface Watcher {
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>;
}

/** Who is asked in a session of programs: for a run its watcher, for all else nobody. What nobody answers is no. */
export class ApiPrompter implements Prompter {
  #watcher: Watcher | undefined;

  /** The turn that goes on is watched, until this is disposed. */
  watch(watcher: Watcher): Disposable {
    this.#watcher = watcher;
    return { [Symbol.dispose]: () => void (this.#watcher === watcher && (this.#watcher = undefined)) };
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    if (this.#watcher === undefined || question.kind !== "approval") return { kind: "none", reason: "nobody" };
    return signal.aborted ? { kind: "none", reason: "cancelled" } : this.#watcher.ask(question, signal);
  }
}

import { EXPIRED, type Answer, type Person, type Question } from "../../contract/question.ts";

type Approval = Extract<Question, { readonly kind: "approval" }>;

/** Who can be asked while a run goes on: whoever watches it. */
export interface Watcher {
  /** What is answered must have been shown whole. */
  ask(approval: Approval, signal: AbortSignal): Promise<Answer>;
}

/** Who is asked in a session of programs: for a run its watcher, for all else nobody. What nobody answers is no. */
export class ApiPerson implements Person {
  #watcher: Watcher | undefined;

  /** The turn that goes on is watched, until this is disposed. */
  watch(watcher: Watcher): Disposable {
    this.#watcher = watcher;
    return { [Symbol.dispose]: () => void (this.#watcher === watcher && (this.#watcher = undefined)) };
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const watcher = this.#watcher;
    if (watcher === undefined || question.kind !== "approval") return { kind: "none", reason: "nobody" };
    if (signal.aborted) return { kind: "none", reason: "cancelled" };
    const withdrawn = Promise.withResolvers<Answer>();
    const withdraw = (): void => withdrawn.resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      return await Promise.race([watcher.ask(question, signal), withdrawn.promise]);
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }
}

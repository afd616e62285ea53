import type { AgentEvent } from "../../contract/conversation/fact.ts";
import type { Logger } from "../../contract/common/logger.ts";

/** The surfaces attached to a session. A listener that throws is logged and removed. */
export class EventListeners {
  readonly #log: Logger;
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  constructor(log: Logger) {
    this.#log = log;
  }

  get any(): boolean {
    return this.#listeners.size > 0;
  }

  add(listener: (event: AgentEvent) => void): Disposable {
    // A separate wrapper, so that one function may subscribe twice.
    const own = (event: AgentEvent) => listener(event);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  report(event: AgentEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (cause) {
        this.#listeners.delete(listener);
        this.#log.error("A listener of a session threw; it receives no further events.", { cause });
      }
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}

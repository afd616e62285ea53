import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { EventHandler } from "../plugins/registry/plugin-hosts.ts";
import type { FoundEventHook } from "./read-event-hooks.ts";

/** Time limit; a hook may send a notification over a slow connection. */
const HANDLE_MS = 60_000;
const MAX_WAITING = 200;

/** One hook. It receives its events in order, and no caller waits for it. */
export class EventHook {
  readonly found: FoundEventHook;
  readonly #log: Logger;
  readonly #start: () => Promise<EventHandler>;
  #handler: Promise<EventHandler> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(found: FoundEventHook, start: () => Promise<EventHandler>, log: Logger) {
    this.found = found;
    this.#start = start;
    this.#log = log;
  }

  /** `exact`: by its name; `wild`: by `NAMESPACE:*`. */
  wants(event: string): "exact" | "wild" | undefined {
    if (this.found.events.includes(event)) return "exact";
    return this.found.events.includes(`${event.split(":")[0]}:*`) ? "wild" : undefined;
  }

  /** The handler's result; `undefined` when it failed, which the log shows. Never rejects. */
  call(event: string, context: JsonObject): Promise<Json | undefined> {
    if (this.#waiting >= MAX_WAITING) {
      this.#log.warning(`The hook "${this.found.name}" is ${MAX_WAITING} events behind; it does not receive ${event}.`);
      return Promise.resolve(undefined);
    }
    this.#waiting++;
    const message = this.#queue.then(async () => {
      try {
        return await (
          await (this.#handler ??= this.#start())
        )(event, context, HANDLE_MS);
      } catch (cause) {
        this.#log.warning(
          `The hook "${this.found.name}" failed on ${event}: ${cause instanceof Error ? cause.message : String(cause)}`,
          { cause },
        );
        return undefined;
      } finally {
        this.#waiting--;
      }
    });
    this.#queue = message;
    return message;
  }

  /** Resolves when the handler has started or failed to start, at once if it received nothing. */
  get begun(): Promise<unknown> {
    return Promise.resolve()
      .then(() => this.#handler)
      .catch(() => undefined); // Why it could not is in the log already.
  }

  /** Resolves when it has handled all events so far. */
  get idle(): Promise<unknown> {
    return this.#queue;
  }
}

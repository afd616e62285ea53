import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { EventHandler } from "../plugins/registry/plugin-hosts.ts";
import type { FoundEventHook } from "./read-event-hooks.ts";

/** Who sends a notification over a slow line may take this long. */
const HANDLE_MS = 60_000;
const MAX_WAITING = 200;

/** One hook: its events reach it one after the other, in order, and nobody waits for that. */
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

  /** What its handler returns; `undefined` when it failed, which the log says. Never rejects. */
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

  /** Resolves when its handler is there or could not be started, at once where nothing was told to it. */
  get begun(): Promise<unknown> {
    return Promise.resolve()
      .then(() => this.#handler)
      .catch(() => undefined); // Why it could not is in the log already.
  }

  /** Resolves when it has heard of everything so far. */
  get idle(): Promise<unknown> {
    return this.#queue;
  }
}

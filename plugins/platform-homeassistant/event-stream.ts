import { objectOf, UserError, type JsonObject, type Logger } from "hermes-agent/plugin";
import { eventOf, type HomeEvent } from "./user-message.ts";

export interface EventStreamOptions {
  readonly token: string;
  /** Whether to subscribe to changes of entities. */
  readonly changes: boolean;
  /** Type of the events that carry a user's message. */
  readonly messageEvent: string;
  readonly log: Logger;
}

/** The protocol of one connection: it signs in, subscribes, and then yields events. */
export class EventStream {
  readonly #options: EventStreamOptions;
  readonly #ready = Promise.withResolvers<void>();
  /** Event types by the id of their subscription, until Home Assistant confirms it. */
  readonly #asked = new Map<number, string>();
  #subscriptions = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** Resolves when every subscription is confirmed. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * Handles one message of the service.
   * @returns the event in it, if there is one.
   * @throws {UserError} if Home Assistant rejects the token or every subscription.
   */
  take(message: JsonObject, reply: (message: JsonObject) => void): HomeEvent | undefined {
    const { token, changes, messageEvent } = this.#options;
    switch (message["type"]) {
      case "auth_required":
        reply({ type: "auth", access_token: token });
        return undefined;
      case "auth_invalid":
        throw new UserError("Home Assistant rejects the access token.", {
          hint: "Create a long-lived access token on the profile page of Home Assistant and set HASS_TOKEN.",
        });
      case "auth_ok":
        for (const [at, event_type] of [...(changes ? ["state_changed"] : []), messageEvent].entries()) {
          this.#asked.set(at + 1, event_type);
          reply({ id: at + 1, type: "subscribe_events", event_type });
        }
        return undefined;
      case "result":
        this.#confirm(message);
        return undefined;
      case "event":
        return eventOf(message["event"]);
    }
    return undefined;
  }

  #confirm({ id, success, error }: JsonObject): void {
    const type = this.#asked.get(Number(id));
    if (type === undefined) return;
    this.#asked.delete(Number(id));
    if (success === true) this.#subscriptions++;
    else {
      const { code, message } = objectOf(error);
      this.#options.log.warning(
        `Home Assistant refuses events of the type ${type}: ${String(message ?? code ?? "no reason")}. Only a token of an administrator receives events of any type.`,
      );
    }
    if (this.#asked.size > 0) return;
    if (this.#subscriptions === 0)
      throw new UserError("Home Assistant refuses every subscription to events.", {
        hint: "Set HASS_TOKEN to a token of an administrator, or set platforms.homeassistant.extra.watch_entities.",
      });
    this.#ready.resolve();
  }
}

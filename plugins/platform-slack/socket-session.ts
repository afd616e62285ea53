import type { AfterEnd } from "hermes-agent/platform";
import { isObject, objectOf, type JsonObject } from "hermes-agent/plugin";

/** The part of a socket that it needs. */
interface Line {
  send(message: string): void;
  close(): void;
}

/** Handles an envelope; what it returns goes to Slack with the confirmation. */
export type TakeEnvelope = (type: string, payload: JsonObject) => Promise<JsonObject | undefined>;

/** One connection after another in Socket Mode. */
export class SocketSession {
  readonly #take: TakeEnvelope;
  #ready = Promise.withResolvers<void>();
  /** Why Slack asked for another connection. */
  #reason = "";

  constructor(take: TakeEnvelope) {
    this.#take = take;
  }

  /** Resolves when Slack greets the new connection. */
  async opened(): Promise<void> {
    this.#reason = "";
    this.#ready = Promise.withResolvers();
    return this.#ready.promise;
  }

  /** Confirms an envelope after it was handled. If that fails, Slack delivers it again. */
  async take(text: string, line: Line): Promise<void> {
    const { type, envelope_id, payload, reason } = objectOf(JSON.parse(text) as JsonObject);
    if (type === "hello") this.#ready.resolve();
    if (type === "disconnect") {
      this.#reason = String(reason);
      return line.close();
    }
    if (typeof envelope_id !== "string") return;
    const answer = await this.#take(String(type), isObject(payload) ? (payload as JsonObject) : {});
    line.send(JSON.stringify({ envelope_id, payload: answer }));
  }

  ended(): AfterEnd {
    if (this.#reason === "link_disabled")
      return { again: false, reason: "Socket Mode is off. Switch it on at https://api.slack.com/apps." };
    // Slack refreshes every connection from time to time.
    return this.#reason === "" ? { again: true } : { again: true, pauseMs: 0 };
  }
}

import type { PlatformMessage } from "hermes-agent/plugin";

const MOST = 2_000;

/** The last messages that the gateway stored, with their authors: a deletion names only the message. */
export class RecentMessages {
  readonly #places = new Map<string, Omit<PlatformMessage, "text">>();

  note(channel: string, ts: string, place: Omit<PlatformMessage, "text">): void {
    this.#places.set(`${channel}:${ts}`, place);
    if (this.#places.size > MOST) this.#places.delete(this.#places.keys().next().value!);
  }

  get(channel: string, ts: string): Omit<PlatformMessage, "text"> | undefined {
    return this.#places.get(`${channel}:${ts}`);
  }
}

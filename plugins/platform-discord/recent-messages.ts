import type { Place, User } from "./discord-types.ts";

export interface RecentMessage {
  /** The channel or thread that holds it. */
  readonly channel: string;
  readonly place?: Place;
  readonly author?: User;
}

const MOST = 2_000;

/** Where the last messages are: an edit and a reaction name a message without its thread. */
export class RecentMessages {
  readonly #messages = new Map<string, RecentMessage>();

  note(id: string, message: RecentMessage): void {
    this.#messages.delete(id);
    this.#messages.set(id, message);
    if (this.#messages.size > MOST) this.#messages.delete(this.#messages.keys().next().value!);
  }

  get(id: string): RecentMessage | undefined {
    return this.#messages.get(id);
  }
}

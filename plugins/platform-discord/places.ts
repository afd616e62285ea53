import { HttpRefusal } from "hermes-agent/platform";
import type { DiscordApi } from "./discord-api.ts";
import type { Channel, Place } from "./discord-types.ts";

/** Knows which channels are threads, and of which channel. */
export class Places {
  readonly #api: DiscordApi;
  /** Parents of threads; `null`: the channel is no thread. */
  readonly #parents = new Map<string, string | null>();

  constructor(api: DiscordApi) {
    this.#api = api;
  }

  async of(channel: string, guild: string | undefined): Promise<Place> {
    if (guild === undefined) return { chat: channel, direct: true };
    let parent = this.#parents.get(channel);
    if (parent === undefined) {
      parent = await this.#parentOf(channel);
      this.#parents.set(channel, parent);
    }
    return parent === null ? { chat: channel, direct: false } : { chat: parent, thread: channel, direct: false };
  }

  async #parentOf(channel: string): Promise<string | null> {
    try {
      const { type, parent_id } = await this.#api.ask<Channel>(`/channels/${channel}`);
      return isThread(type) ? (parent_id ?? null) : null;
    } catch (cause) {
      if (cause instanceof HttpRefusal && (cause.status === 403 || cause.status === 404)) return null;
      throw cause;
    }
  }
}

/** Threads of announcements, public and private ones. */
export function isThread(type: number): boolean {
  return type >= 10 && type <= 12;
}

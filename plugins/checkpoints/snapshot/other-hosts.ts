import type { PluginStorage } from "hermes-agent/plugin";

const RETAINED_SESSIONS = 200;

/**
 * Conversations that changed something outside checkpoints (in a container, on another host), so that a rollback can
 * say so.
 */
export class Elsewhere {
  readonly #storage: PluginStorage;
  /** Pairs that this process has already recorded. */
  readonly #noted = new Set<string>();

  constructor(storage: PluginStorage) {
    this.#storage = storage;
  }

  /** @param place ID of the terminal backend. */
  async note(sessionId: string, place: string): Promise<void> {
    const mark = `${sessionId} ${place}`;
    if (this.#noted.has(mark)) return;
    this.#noted.add(mark);
    if (this.#noted.size > RETAINED_SESSIONS) this.#noted.delete([...this.#noted][0]!);
    const known = await this.placesOf(sessionId);
    if (known.includes(place)) return;
    await this.#storage.set(keyOf(sessionId), [...known, place]);
    // Session IDs begin with the time, so the oldest sort first.
    const all = (await this.#storage.keys()).filter((key) => key.startsWith(keyOf(""))).sort();
    for (const key of all.slice(0, -RETAINED_SESSIONS)) await this.#storage.delete(key);
  }

  async placesOf(sessionId: string): Promise<readonly string[]> {
    const known = await this.#storage.get(keyOf(sessionId));
    return Array.isArray(known) ? known.filter((place): place is string => typeof place === "string") : [];
  }
}

function keyOf(sessionId: string): string {
  return `elsewhere ${sessionId}`;
}

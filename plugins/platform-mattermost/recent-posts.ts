import type { PlatformMessage } from "hermes-agent/plugin";

export type Place = Omit<PlatformMessage, "text">;

const MOST = 2_000;

/** Posts that were passed on: an edit and a repeated delivery concern them. */
export class RecentPosts {
  readonly #places = new Map<string, Place>();

  note(id: string, place: Place): void {
    this.#places.set(id, place);
    if (this.#places.size > MOST) this.#places.delete(this.#places.keys().next().value!);
  }

  get(id: string): Place | undefined {
    return this.#places.get(id);
  }
}

/** A least-recently-used map: beyond its cap it drops the entry that was not read or set for the longest time. */
export class RecentMap<K, V> {
  readonly #map = new Map<K, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#map.size;
  }

  /** Counts as use. */
  get(key: K): V | undefined {
    const value = this.#map.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size > this.#most) this.#map.delete(this.#map.keys().next().value!);
  }

  delete(key: K): void {
    this.#map.delete(key);
  }
}

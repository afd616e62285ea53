/** Allows one writer at a time for each file, across all tasks of this process. */
export class PathLock {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` when every earlier holder of these paths is done. Locks paths in a fixed order, so there is no
   * deadlock.
   */
  async hold<T>(paths: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const wanted = [...new Set(paths)].sort();
    const earlier = wanted.map((path) => this.#tails.get(path));
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const tail = Promise.all([...earlier, held]).then(() => {});
    for (const path of wanted) this.#tails.set(path, tail);
    try {
      await Promise.all(earlier);
      return await work();
    } finally {
      release();
      for (const path of wanted) if (this.#tails.get(path) === tail) this.#tails.delete(path);
    }
  }
}

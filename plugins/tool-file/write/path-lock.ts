/** One writer at a time for each file, across all tasks of this process. */
export class PathLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` when every earlier holder of any of these paths is done. Paths are taken in one order, so nobody waits in a circle. */
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

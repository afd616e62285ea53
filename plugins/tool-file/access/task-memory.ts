/** What this process remembers of each task's dealings with files. In memory on purpose: a restart forgets, and a read is then a read. */
export class FileMemory {
  readonly #tasks = new Map<string, TaskMemory>();
  /** Who wrote a file last, and what it was then. */
  readonly #writers = new Capped<{ taskId: string; at: number }>(4_096);
  #clock = 0;

  task(taskId: string): TaskMemory {
    let memory = this.#tasks.get(taskId);
    if (memory === undefined) {
      memory = new TaskMemory();
      if (this.#tasks.size >= 200) this.#tasks.delete(this.#tasks.keys().next().value!);
    }
    this.#tasks.delete(taskId);
    this.#tasks.set(taskId, memory);
    return memory;
  }

  /** For runs of equal calls: any other tool ends them. */
  otherTool(taskId: string): void {
    this.#tasks.get(taskId)?.run.end();
  }

  read(taskId: string, file: string, stamp: Stamp, whole: boolean): void {
    this.task(taskId).seen.set(file, { stamp, whole, at: ++this.#clock });
  }

  wrote(taskId: string, file: string, stamp: Stamp | undefined): void {
    const memory = this.task(taskId);
    memory.forget(file);
    this.#writers.set(file, { taskId, at: ++this.#clock });
    if (stamp === undefined) memory.seen.delete(file);
    else memory.seen.set(file, { stamp, whole: true, at: this.#clock });
  }

  /** The strongest reason to doubt what this task believes about a file it is about to write. */
  staleness(taskId: string, file: string, now: Stamp | undefined): "sibling" | "changed" | "partial" | undefined {
    const seen = this.task(taskId).seen.get(file);
    const writer = this.#writers.get(file);
    if (writer !== undefined && writer.taskId !== taskId && (seen === undefined || writer.at > seen.at))
      return "sibling";
    // What is gone cannot be lost.
    if (seen === undefined || now === undefined) return undefined;
    if (!sameStamp(seen.stamp, now)) return "changed";
    return seen.whole ? undefined : "partial";
  }
}

/** A file's state as its own place tells it. */
export interface Stamp {
  readonly modifiedMs: number;
  readonly bytes: number;
}

export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.modifiedMs === b.modifiedMs && a.bytes === b.bytes;
}

export class TaskMemory {
  readonly seen = new Capped<{ stamp: Stamp; whole: boolean; at: number }>(1_000);
  /** Pages already given, by file and range. */
  readonly given = new Capped<{ file: string; stamp: Stamp; times: number }>(1_000);
  readonly run = new Run();
  /** Patches of a path that failed one after the other. */
  readonly failures = new Capped<number>(500);

  /** A file changed: its pages are worth reading again. */
  forget(file: string): void {
    for (const [key, page] of this.given.entries()) if (page.file === file) this.given.delete(key);
  }
}

/** Equal calls in a row. */
class Run {
  #key = "";
  #count = 0;

  /** How often this very call was made in a row, this time included. */
  count(key: string): number {
    this.#count = key === this.#key ? this.#count + 1 : 1;
    this.#key = key;
    return this.#count;
  }

  end(): void {
    this.#key = "";
    this.#count = 0;
  }
}

/** A map that drops its oldest entry. */
class Capped<V> {
  readonly #map = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    return this.#map.get(key);
  }

  set(key: string, value: V): void {
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size > this.#most) this.#map.delete(this.#map.keys().next().value!);
  }

  delete(key: string): void {
    this.#map.delete(key);
  }

  entries(): [string, V][] {
    return [...this.#map];
  }
}

/**
 * File states that each task has read or written. In memory only: after a restart, every read returns the content
 * again.
 */
export class FileMemory {
  readonly #tasks = new Map<string, TaskMemory>();
  /** The last writer of a file, and its state after that write. */
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

  /** Counts runs of equal calls; any other tool ends a run. */
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

  /** The strongest reason why this task's knowledge of a file that it is about to write may be stale. */
  staleness(taskId: string, file: string, now: Stamp | undefined): "sibling" | "changed" | "partial" | undefined {
    const seen = this.task(taskId).seen.get(file);
    const writer = this.#writers.get(file);
    if (writer !== undefined && writer.taskId !== taskId && (seen === undefined || writer.at > seen.at))
      return "sibling";
    // A deleted file has no changes to lose.
    if (seen === undefined || now === undefined) return undefined;
    if (!sameStamp(seen.stamp, now)) return "changed";
    return seen.whole ? undefined : "partial";
  }
}

/** A file's state in its environment. */
export interface Stamp {
  readonly modifiedMs: number;
  readonly bytes: number;
}

export function sameStamp(a: Stamp, b: Stamp): boolean {
  return a.modifiedMs === b.modifiedMs && a.bytes === b.bytes;
}

export class TaskMemory {
  readonly seen = new Capped<{ stamp: Stamp; whole: boolean; at: number }>(1_000);
  /** Pages already returned, by file and range. */
  readonly given = new Capped<{ file: string; stamp: Stamp; times: number }>(1_000);
  readonly run = new Run();
  /** Consecutive failed patches of a path. */
  readonly failures = new Capped<number>(500);

  /** Forgets the pages of a file after a change. */
  forget(file: string): void {
    for (const [key, page] of this.given.entries()) if (page.file === file) this.given.delete(key);
  }
}

/** Consecutive equal calls. */
class Run {
  #key = "";
  #count = 0;

  /** How often the same call was made in a row, including this one. */
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

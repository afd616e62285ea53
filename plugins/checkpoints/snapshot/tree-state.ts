import type { PluginContext } from "hermes-agent/plugin";
import { Breath } from "./yield-often.ts";
import type { SavedEntry } from "../entry.ts";
import { EXCLUDED_NAMES } from "./excluded.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { takeSnapshot, type SnapshotOptions } from "./take-snapshot.ts";
import type { TreeScope } from "./walk-tree.ts";

/** Keys of a scan's result in the store. */
export interface Look {
  readonly tree: number;
  readonly snapshot: number;
}

/** Takes snapshots of trees, one at a time. */
export class TreeLooks {
  readonly #context: PluginContext;
  readonly #store: () => SnapshotStore;
  /** The last scanned tree, so that the next scan need not load it from the database. */
  #last: (Look & { readonly entries: Map<string, SavedEntry> }) | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #told = new Set<string>();

  constructor(context: PluginContext, store: () => SnapshotStore) {
    this.#context = context;
    this.#store = store;
  }

  /** The store has deleted some of its data. */
  forget(): void {
    this.#last = undefined;
  }

  /** Reports once for each tree. */
  reportOnce({ root }: TreeScope, warning: string): void {
    if (!this.#told.has(root)) this.#context.log.warning(warning);
    this.#told.add(root);
  }

  /** One scan at a time: two would store the same changes twice. */
  look(scope: TreeScope, progress?: (text: string) => void): Promise<Look> {
    const looking = async () => {
      const store = this.#store();
      const tree = store.treeOf(scope.root);
      const known =
        this.#last?.tree === tree && this.#last.snapshot === store.lastOf(tree) ? this.#last.entries : undefined;
      this.#last = undefined;
      const { snapshot, entries, leftOut } = await takeSnapshot(
        store,
        tree,
        scope,
        this.#options(scope, progress),
        known,
      );
      this.#last = { tree, snapshot, entries };
      if (leftOut.files > 0)
        this.reportOnce(
          scope,
          `The checkpoint of ${scope.root} leaves out ${leftOut.files} files (${Math.ceil(leftOut.bytes / 1_000_000)} MB), which a rollback cannot restore: checkpoints.max_total_size_mb is reached. Raise it or work in a smaller folder.`,
        );
      return { tree, snapshot };
    };
    return this.alone(looking);
  }

  /** Serializes writes to the store: a long scan keeps its transaction open across its pauses. */
  alone<T>(work: () => T | Promise<T>): Promise<T> {
    const working = this.#queue.then(work);
    this.#queue = working.catch(() => undefined);
    return working;
  }

  #options(scope: TreeScope, progress: ((text: string) => void) | undefined): SnapshotOptions {
    const { config } = this.#context;
    return {
      maxFiles: Number(config["max_files"] ?? 50_000),
      maxFileBytes: Number(config["max_file_size_mb"] ?? 10) * 1_000_000,
      // The rest is reserved for later changes.
      maxNewBytes: Number(config["max_total_size_mb"] ?? 500) * 750_000,
      excluded: new Set([...EXCLUDED_NAMES, ...((config["exclude"] ?? []) as string[])]),
      hidden: [this.#context.home],
      breath: new Breath(AbortSignal.timeout(timeoutMs(this.#context.env("HERMES_CHECKPOINT_TIMEOUT")))),
      progress: progress === undefined ? undefined : (files) => progress(`saving ${scope.root}: ${files} files`),
    };
  }
}

/** Timeout for taking a checkpoint: 10 to 60 seconds, default 30. */
export function timeoutMs(seconds: string | undefined): number {
  const wanted = seconds === undefined || seconds.trim() === "" ? Number.NaN : Number(seconds);
  return 1000 * (Number.isNaN(wanted) ? 30 : Math.min(60, Math.max(10, wanted)));
}

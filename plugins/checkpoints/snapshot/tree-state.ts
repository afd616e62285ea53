import type { PluginContext } from "hermes-agent/plugin";
import { Breath } from "./yield-often.ts";
import type { SavedEntry } from "../entry.ts";
import { EXCLUDED_NAMES } from "./excluded.ts";
import type { SnapshotStore } from "./snapshot-store.ts";
import { takeSnapshot, type SnapshotOptions } from "./take-snapshot.ts";
import type { TreeScope } from "./walk-tree.ts";

/** What a look at a tree has found stands in the store under these. */
export interface Look {
  readonly tree: number;
  readonly snapshot: number;
}

/** Looks at trees and keeps what they hold, one after the other. */
export class TreeLooks {
  readonly #context: PluginContext;
  readonly #store: () => SnapshotStore;
  /** The tree looked at last: the next look at it need not read it from the file again. */
  #last: (Look & { readonly entries: Map<string, SavedEntry> }) | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #told = new Set<string>();

  constructor(context: PluginContext, store: () => SnapshotStore) {
    this.#context = context;
    this.#store = store;
  }

  /** The store has dropped some of what it had. */
  forget(): void {
    this.#last = undefined;
  }

  /** Once for each tree. */
  reportOnce({ root }: TreeScope, warning: string): void {
    if (!this.#told.has(root)) this.#context.log.warning(warning);
    this.#told.add(root);
  }

  /** One look at a time: two would keep the same changes twice. */
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
          `No room for ${leftOut.files} files of ${scope.root} (${Math.ceil(leftOut.bytes / 1_000_000)} MB): they cannot be brought back. Set checkpoints.max_total_size_mb higher, or work in a narrower folder.`,
        );
      return { tree, snapshot };
    };
    return this.alone(looking);
  }

  /** What writes to the store does so one after the other: a long look holds its transaction across its pauses. */
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
      // The rest is for what changes later.
      maxNewBytes: Number(config["max_total_size_mb"] ?? 500) * 750_000,
      excluded: new Set([...EXCLUDED_NAMES, ...((config["exclude"] ?? []) as string[])]),
      hidden: [this.#context.home],
      breath: new Breath(AbortSignal.timeout(timeoutMs(this.#context.env("HERMES_CHECKPOINT_TIMEOUT")))),
      progress:
        progress === undefined ? undefined : (files) => progress(`keeping ${scope.root} as it is: ${files} files`),
    };
  }
}

/** How long taking a checkpoint may last: 10 to 60 seconds, 30 unless told otherwise. */
export function timeoutMs(seconds: string | undefined): number {
  const wanted = seconds === undefined || seconds.trim() === "" ? Number.NaN : Number(seconds);
  return 1000 * (Number.isNaN(wanted) ? 30 : Math.min(60, Math.max(10, wanted)));
}

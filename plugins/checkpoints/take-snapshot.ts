import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync } from "node:fs";
import type { Breath } from "./breath.ts";
import { entryOf, unchanged, type Entry, type KeptEntry } from "./entry.ts";
import type { Change, SnapshotStore } from "./snapshot-store.ts";
import { walkTree, type TreeScope } from "./walk-tree.ts";

export interface SnapshotOptions {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Most bytes that may be kept anew. */
  readonly maxNewBytes: number;
  readonly excluded: ReadonlySet<string>;
  readonly hidden: readonly string[];
  readonly breath: Breath;
  /** Told of a first look that reads much. */
  progress?(files: number): void;
}

/** More content than the settings allow to be kept. */
export class TooMuchContent extends Error {
  constructor(root: string, maxBytes: number) {
    super(`${root} holds more than ${Math.round(maxBytes / 1_000_000)} MB that is not kept yet.`);
    this.name = "TooMuchContent";
  }
}

/** A clock of a file system ticks this slowly: a file that changed so shortly before a look may change again unseen. */
const TICK_MS = 50;
const BATCH_BYTES = 2_000_000;
const BATCH_FILES = 200;
const TOLD_EVERY = 5_000;

/**
 * Looks at a scope and keeps what changed since the last look.
 * @param known The tree as its newest snapshot has it, when the caller still holds it; brought up to date.
 * @throws {TooManyFiles | TooMuchContent}
 */
export async function takeSnapshot(store: SnapshotStore, tree: number, scope: TreeScope, options: SnapshotOptions, known?: Map<string, KeptEntry>): Promise<{ readonly snapshot: number; readonly entries: Map<string, KeptEntry> }> {
  const last = store.lastOf(tree);
  const startedAt = Date.now();
  const entries = known ?? (await store.entriesAt(tree, last, options.breath));
  const seen = new Set<string>();
  const changed = new Map<string, Entry>();
  await walkTree(scope, options, (path, stats) => {
    seen.add(path);
    const before = entries.get(path);
    if (before === undefined || !unchanged(before, stats)) changed.set(path, entryOf(stats));
  });
  const changes: Change[] = gone(entries, seen, scope).map((path) => ({ path, entry: undefined, replaces: true }));
  let newBytes = 0;
  let batch: Loaded[] = [];
  const flush = (): void => {
    const hashes = store.keep(batch.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes])));
    let at = 0;
    for (const { path, entry, bytes, target } of batch) changes.push({ path, entry: { ...entry, content: bytes === undefined ? target : hashes[at++] }, replaces: entries.has(path) });
    batch = [];
  };
  let batchBytes = 0;
  for (const [path, entry] of changed) {
    const loaded = load(scope, path, entry, options.maxFileBytes);
    batch.push({ ...loaded, entry: entry.changedMs > startedAt - TICK_MS ? { ...loaded.entry, modifiedMs: -1 } : loaded.entry });
    batchBytes += loaded.bytes?.length ?? 0;
    newBytes += loaded.bytes?.length ?? 0;
    if (newBytes > options.maxNewBytes) throw new TooMuchContent(scope.root, options.maxNewBytes);
    if (batch.length >= BATCH_FILES || batchBytes > BATCH_BYTES) {
      flush();
      batchBytes = 0;
      if (changes.length % TOLD_EVERY < BATCH_FILES) options.progress?.(changes.length);
    }
    if (options.breath.due) await options.breath.take();
  }
  flush();
  const snapshot = changes.length === 0 && last > 0 ? last : await store.add(tree, changes, options.breath);
  for (const { path, entry } of changes) {
    if (entry === undefined) entries.delete(path);
    else entries.set(path, entry);
  }
  return { snapshot, entries };
}

interface Loaded {
  readonly path: string;
  readonly entry: Entry;
  /** A file's content. */
  readonly bytes: Uint8Array | undefined;
  /** Where a link points. */
  readonly target: string | undefined;
}

function load(scope: TreeScope, path: string, entry: Entry, maxFileBytes: number): Loaded {
  const nothing: Loaded = { path, entry, bytes: undefined, target: undefined };
  const full = `${scope.root}/${path}`;
  try {
    if (entry.kind === "link") return { ...nothing, target: readlinkSync(full) };
    if (entry.kind !== "file" || entry.bytes > maxFileBytes) return nothing;
    return { ...nothing, bytes: read(full, entry) };
  } catch {
    return nothing; // Gone or not ours to read: listed, when its time comes, as what cannot be restored.
  }
}

/** The very file that was looked at, and not what was put in its place meanwhile. */
function read(path: string, entry: Entry): Uint8Array | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.ino === entry.inode ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}

function gone(entries: ReadonlyMap<string, KeptEntry>, found: ReadonlySet<string>, { only }: TreeScope): readonly string[] {
  const inScope = (path: string): boolean => only === undefined || only.some((top) => path === top || path.startsWith(`${top}/`));
  const missing: string[] = [];
  for (const path of entries.keys()) if (!found.has(path) && inScope(path)) missing.push(path);
  return missing;
}

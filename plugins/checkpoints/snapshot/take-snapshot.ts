import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import type { Breath } from "./yield-often.ts";
import { entryOf, unchanged, type Entry, type SavedEntry } from "../entry.ts";
import type { Change, SnapshotStore } from "./snapshot-store.ts";
import { walkTree, type TreeScope } from "./walk-tree.ts";

export interface SnapshotOptions {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Maximum bytes of new content; the largest files are left out beyond it. */
  readonly maxNewBytes: number;
  readonly excluded: ReadonlySet<string>;
  readonly hidden: readonly string[];
  readonly breath: Breath;
  /** Receives progress of a first snapshot that reads many files. */
  progress?(files: number): void;
}

export interface TakenSnapshot {
  readonly snapshot: number;
  readonly entries: Map<string, SavedEntry>;
  /** Number and bytes of files whose content did not fit. */
  readonly leftOut: { readonly files: number; readonly bytes: number };
}

/**
 * The coarsest timestamp tick of a file system: a file changed this shortly before a snapshot may change again with the
 * same timestamp.
 */
const TICK_MS = 50;
const BATCH_BYTES = 2_000_000;
const BATCH_FILES = 200;
const REPORT_EVERY = 5_000;

/**
 * Scans a scope and saves what changed since the last snapshot.
 * @param known The tree of the newest snapshot, if the caller still has it; updated in place.
 * @throws {TooManyFiles}
 */
export async function takeSnapshot(
  store: SnapshotStore,
  tree: number,
  scope: TreeScope,
  options: SnapshotOptions,
  known?: Map<string, SavedEntry>,
): Promise<TakenSnapshot> {
  const last = store.lastOf(tree);
  const startedAt = Date.now();
  const entries = known ?? (await store.entriesAt(tree, last, options.breath));
  const seen = new Set<string>();
  const changed = new Map<string, Entry>();
  await walkTree(scope, options, (path, stats, apart) => {
    seen.add(path);
    const before = entries.get(path);
    if (before === undefined || (apart ? before.kind !== "apart" : !unchanged(before, stats)))
      changed.set(path, entryOf(stats, apart));
  });
  const changes: Change[] = gone(entries, seen, scope).map((path) => ({ path, entry: undefined, replaces: true }));
  const leftOut = largest(changed, options);
  let batch: Loaded[] = [];
  const flush = (): void => {
    const hashes = store.keep(batch.flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes])));
    let at = 0;
    for (const { path, entry, bytes, target } of batch)
      changes.push({
        path,
        entry: { ...entry, content: bytes === undefined ? target : hashes[at++] },
        replaces: entries.has(path),
      });
    batch = [];
  };
  let batchBytes = 0;
  for (const [path, entry] of changed) {
    const loaded = leftOut.has(path)
      ? { path, entry, bytes: undefined, target: undefined }
      : load(scope, path, entry, options.maxFileBytes);
    batch.push({
      ...loaded,
      entry: entry.changedMs > startedAt - TICK_MS ? { ...loaded.entry, modifiedMs: -1 } : loaded.entry,
    });
    batchBytes += loaded.bytes?.length ?? 0;
    if (batch.length >= BATCH_FILES || batchBytes > BATCH_BYTES) {
      flush();
      batchBytes = 0;
      if (changes.length % REPORT_EVERY < BATCH_FILES) options.progress?.(changes.length);
    }
    if (options.breath.due) await options.breath.take();
  }
  flush();
  const snapshot = changes.length === 0 && last > 0 ? last : await store.add(tree, changes, options.breath);
  for (const { path, entry } of changes) {
    if (entry === undefined) entries.delete(path);
    else entries.set(path, entry);
  }
  return {
    snapshot,
    entries,
    leftOut: { files: leftOut.size, bytes: [...leftOut].reduce((sum, path) => sum + changed.get(path)!.bytes, 0) },
  };
}

/** The largest files, as many as must be left out for the rest to fit. */
function largest(
  changed: ReadonlyMap<string, Entry>,
  { maxFileBytes, maxNewBytes }: SnapshotOptions,
): ReadonlySet<string> {
  const files = [...changed].filter(([, { kind, bytes }]) => kind === "file" && bytes <= maxFileBytes);
  let surplus = files.reduce((sum, [, { bytes }]) => sum + bytes, 0) - maxNewBytes;
  const out = new Set<string>();
  if (surplus <= 0) return out;
  for (const [path, { bytes }] of files.sort((a, b) => b[1].bytes - a[1].bytes)) {
    if (surplus <= 0) break;
    out.add(path);
    surplus -= bytes;
  }
  return out;
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
    return { ...nothing, bytes: read(full, entry, maxFileBytes) };
  } catch {
    return nothing; // Missing or not readable: a rollback lists it as not restorable.
  }
}

/** Reads the file that was scanned, not one that replaced it meanwhile; `undefined` if it is larger than the limit. */
function read(path: string, entry: Entry, maxFileBytes: number): Uint8Array | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    return stats.isFile() && stats.ino === entry.inode ? readAtMost(file, stats.size, maxFileBytes) : undefined;
  } finally {
    closeSync(file);
  }
}

/**
 * @param size As reported by the file system. A file that grows or reports no size is read to its end, up to the limit.
 */
function readAtMost(file: number, size: number, most: number): Uint8Array | undefined {
  let bytes = Buffer.allocUnsafeSlow(Math.min(size, most) + 1);
  let length = 0;
  for (
    let got = readSync(file, bytes, 0, bytes.length, null);
    got > 0;
    got = readSync(file, bytes, length, bytes.length - length, null)
  ) {
    length += got;
    if (length > most) return undefined;
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(most + 1, Math.max(4_096, 2 * length)));
  }
  return bytes.subarray(0, length);
}

function gone(
  entries: ReadonlyMap<string, SavedEntry>,
  found: ReadonlySet<string>,
  { only }: TreeScope,
): readonly string[] {
  const inScope = (path: string): boolean =>
    only === undefined || only.some((top) => path === top || path.startsWith(`${top}/`));
  const missing: string[] = [];
  for (const path of entries.keys()) if (!found.has(path) && inScope(path)) missing.push(path);
  return missing;
}

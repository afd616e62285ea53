import { readdirSync, statSync, watch, type FSWatcher } from "node:fs";
import { join } from "node:path";

/** An editor writes a file in several steps; events within this time are one change. */
const SETTLE_MS = 60;
const IGNORED = new Set([".git", "__pycache__", "node_modules"]);

/**
 * Calls `changed` after each change below a folder, one call at a time: a change during a call leads to another call.
 */
export function watchFolder(dir: string, changed: () => Promise<void>): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let running = false;
  let again = false;
  let closed = false;
  const run = (): void => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    void changed().finally(() => {
      running = false;
      if (again && !closed) schedule();
      again = false;
    });
  };
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, SETTLE_MS);
  };
  const watched = watchFolders(dir, schedule);
  return {
    [Symbol.dispose]() {
      closed = true;
      clearTimeout(timer);
      watched[Symbol.dispose]();
    },
  };
}

/**
 * Watches every folder separately. A folder's watcher reports its files even if they are replaced. A recursive watcher
 * watches the files and loses each one that an editor replaces.
 */
function watchFolders(dir: string, changed: () => void): Disposable {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number }>();
  let begun = false;
  const leave = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  const cover = (): void => {
    const found = new Map(foldersBelow(dir));
    for (const [folder, { inode }] of watchers) if (found.get(folder) !== inode) leave(folder);
    for (const [folder, inode] of found) {
      if (watchers.has(folder)) continue;
      try {
        const watcher = watch(folder, (_, name) => {
          if (name !== null && IGNORED.has(name)) return;
          cover();
          changed();
        });
        // The folder disappeared while it was watched.
        watcher.on("error", () => leave(folder));
        watchers.set(folder, { watcher, inode });
      } catch (cause) {
        // The folder may have disappeared again. Only a failure at the start is reported.
        if (folder === dir && !begun) throw cause;
      }
    }
  };
  cover();
  begun = true;
  return {
    [Symbol.dispose]() {
      for (const folder of watchers.keys()) leave(folder);
    },
  };
}

/** With their inodes: a folder of the same name may be another one. */
function foldersBelow(dir: string): readonly (readonly [folder: string, inode: number])[] {
  const own = statSync(dir, { throwIfNoEntry: false });
  if (own?.isDirectory() !== true) return [];
  try {
    const inner = readdirSync(dir, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !IGNORED.has(entry.name),
    );
    return [[dir, own.ino], ...inner.flatMap(({ name }) => foldersBelow(join(dir, name)))];
  } catch {
    return []; // The folder disappeared meanwhile.
  }
}

import { watch, type FSWatcher } from "node:fs";
import { basename, dirname } from "node:path";

/** Writes within this time are reported together. */
const TOGETHER_MS = 20;
/** For file systems that report no changes, and processes that died without a last write. */
const LOOK_MS = 2_000;

/**
 * Calls `changed` soon after any process writes to the store or changes the settings or the gateway's state next to it. A commit
 * grows the store's WAL, so the system reports it.
 * @param path Of `state.db`.
 */
export function watchStore(path: string, changed: () => void): Disposable {
  const name = basename(path);
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const note = (file: string | null): void => {
    if (file !== null && !matters(file, name)) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, TOGETHER_MS);
  };
  try {
    watcher = watch(dirname(path), (_, file) => note(file));
    watcher.on("error", () => watcher?.close());
  } catch {
    // This file system reports no changes; the interval finds them.
  }
  const looks = setInterval(changed, LOOK_MS).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      clearInterval(looks);
      watcher?.close();
    },
  };
}

/** Readers write to other files of the home: a look must not lead to the next one. */
function matters(file: string, store: string): boolean {
  return file === `${store}-wal` || file === store || file === "config.yaml" || file === "gateway_state.json";
}

import { watch } from "node:fs";

/** An editor writes a file in several steps; what comes within this time is one change. */
const SETTLE_MS = 60;

/** Calls `changed` after each change below a folder, one at a time: what changes while it runs is a change after it. */
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
  const watcher = watch(dir, { recursive: true }, (_, name) => {
    if (name !== null && /(^|\/)(\.git|__pycache__|node_modules)(\/|$)/.test(name)) return;
    schedule();
  });
  // The folder went away: nothing changes in it any more.
  watcher.on("error", () => undefined);
  return {
    [Symbol.dispose]() {
      closed = true;
      clearTimeout(timer);
      watcher.close();
    },
  };
}

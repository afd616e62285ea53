import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program that starts another one and waits for it until both are killed. */
export interface EndlessProgram extends Disposable {
  readonly folder: string;
  /** Its path. */
  readonly program: string;
  /** Resolves when the program and its child run. */
  started(): Promise<void>;
  /** Those of the two that still run after a grace period. */
  left(): Promise<readonly number[]>;
}

export function endlessProgram(): EndlessProgram {
  const folder = mkdtempSync(join(tmpdir(), "hermes-endless-"));
  const program = join(folder, "program");
  const pids = join(folder, "pids");
  writeFileSync(
    program,
    `#!/bin/sh\ncase "$*" in *find_spec*) exit 0;; esac\nsleep 600 & printf '%s %s\\n' $$ $! > '${pids}.new'\nmv '${pids}.new' '${pids}'\nwait\n`,
  );
  chmodSync(program, 0o755);
  return {
    folder,
    program,
    async started() {
      const { promise, resolve } = Promise.withResolvers<void>();
      using watcher = Object.assign(
        watch(folder, () => existsSync(pids) && resolve()),
        { [Symbol.dispose]: () => watcher.close() },
      );
      if (existsSync(pids)) resolve();
      await promise;
    },
    async left() {
      const all = readFileSync(pids, "utf8").trim().split(" ").map(Number);
      for (let tries = 0; tries < 100 && all.some(runs); tries++)
        await new Promise((resolve) => setTimeout(resolve, 30));
      return all.filter(runs);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Whether a process runs; a zombie does not. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

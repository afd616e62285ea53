import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFileLock } from "./file-lock.ts";
import type { Version } from "./sync-plan.ts";

/** States of environments that were unused for this long are deleted. */
const FORGOTTEN_MS = 30 * 86_400_000;
/** Copies of replaced local files are kept for this long. */
const RETENTION_MS = 7 * 86_400_000;

export interface RememberedSide {
  readonly version: Version;
  /** File facts with which the stored version is still valid. */
  readonly facts?: string;
}

/** The versions in one environment and on this machine when they were last compared. */
export interface SyncState {
  readonly files: Map<string, { readonly here: RememberedSide; readonly there: RememberedSide }>;
  /** Notes that were reported: not reported again. */
  readonly reported: Set<string>;
}

/**
 * The folder of all that is remembered. Files are written beside and renamed: a killed agent leaves the old or the new
 * one.
 */
export class SyncStates {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Empty when nothing is known of that place. */
  async read(id: string): Promise<SyncState> {
    try {
      const { files, told: reported } = JSON.parse(await readFile(this.#file(id), "utf8"));
      return { files: new Map(Object.entries(files)), reported: new Set(reported) };
    } catch {
      return { files: new Map(), reported: new Set() }; // Unknown, or damaged: both sides are compared again, and nothing is removed.
    }
  }

  async write(id: string, { files, reported }: SyncState): Promise<void> {
    await this.#replace(
      this.#file(id),
      JSON.stringify({ files: Object.fromEntries(files), told: [...reported].slice(-1_000) }),
    );
  }

  /** Whether something was ever sent. */
  async any(name: string): Promise<boolean> {
    return (await readdir(this.folder).catch(() => [])).some(
      (file) => file.startsWith(`${name}-`) && file.endsWith(".json"),
    );
  }

  /** Notes that were not reported yet, of all environments of these files. */
  async untold(name: string): Promise<readonly string[]> {
    return readFile(join(this.folder, `${name}.untold`), "utf8").then(JSON.parse, () => []);
  }

  async writeUntold(name: string, notes: readonly string[]): Promise<void> {
    const path = join(this.folder, `${name}.untold`);
    await (notes.length === 0 ? rm(path, { force: true }) : this.#replace(path, JSON.stringify(notes)));
  }

  /** Removes what is too old to be of use. */
  async prune(): Promise<void> {
    for (const [folder, age] of [
      [this.folder, FORGOTTEN_MS],
      [join(this.folder, "kept"), RETENTION_MS],
    ] as const) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (folder === this.folder && !name.endsWith(".json")) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (found !== undefined && found.mtimeMs < Date.now() - age) await rm(path, { recursive: true, force: true });
      }
    }
  }

  /** Runs `use` under a lock that all agents of this home share. */
  async locked<T>(name: string, use: () => Promise<T>): Promise<T> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return withFileLock(join(this.folder, `${name}.lock`), use);
  }

  async #replace(path: string, text: string): Promise<void> {
    await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }

  #file(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

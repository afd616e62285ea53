import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { Breath } from "./breath.ts";

export interface TreeScope {
  /** Absolute path of a folder, links resolved. */
  readonly root: string;
  /** Only these below the root, each a path relative to it with all below; `undefined` is the whole tree. */
  readonly only?: readonly string[];
}

export interface WalkOptions {
  readonly maxFiles: number;
  /** Names that are left out wherever they stand. */
  readonly excluded: ReadonlySet<string>;
  /** Absolute paths that are left out. */
  readonly hidden: readonly string[];
  readonly breath: Breath;
}

export class TooManyFiles extends Error {
  readonly root: string;

  constructor(root: string, maxFiles: number) {
    super(`${root} holds more than ${maxFiles} files.`);
    this.name = "TooManyFiles";
    this.root = root;
  }
}

/**
 * Visits everything in the scope, by its path relative to the root. Other file systems' mounts are entered, links never. What vanishes
 * during the walk, or may not be looked at, is left out.
 * @throws {TooManyFiles} beyond `maxFiles`, folders counted.
 */
export async function walkTree(scope: TreeScope, options: WalkOptions, visit: (path: string, stats: Stats) => void): Promise<void> {
  const hidden = new Set(options.hidden.flatMap((path) => (path.startsWith(`${scope.root}/`) ? [path.slice(scope.root.length + 1)] : [])));
  const waiting: string[] = [];
  let count = 0;

  const look = (path: string): void => {
    const stats = lstatSync(`${scope.root}/${path}`, LOOK);
    if (stats === undefined) return;
    if (++count > options.maxFiles) throw new TooManyFiles(scope.root, options.maxFiles);
    visit(path, stats);
    if (stats.isDirectory()) waiting.push(path);
  };

  if (scope.only === undefined) waiting.push("");
  else for (const path of scope.only) look(path);
  while (waiting.length > 0) {
    const folder = waiting.pop()!;
    for (const name of namesIn(`${scope.root}/${folder}`)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (options.excluded.has(name) || hidden.has(path)) continue;
      look(path);
      if (options.breath.due) await options.breath.take();
    }
  }
}

const LOOK = { throwIfNoEntry: false } as const;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Gone meanwhile, or not ours to read: what cannot be read here cannot be restored either.
  }
}

import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { Breath } from "./yield-often.ts";
import { BUILT_BESIDE } from "./excluded.ts";
import { isKernelView } from "./kernel-views.ts";

export interface TreeScope {
  /** Absolute path of a folder, links resolved. */
  readonly root: string;
  /** Only these paths, relative to the root, with everything below them; `undefined` is the whole tree. */
  readonly only?: readonly string[];
}

export interface WalkOptions {
  readonly maxFiles: number;
  /** Names that are visited but not entered, at any depth. */
  readonly excluded: ReadonlySet<string>;
  /** Absolute paths that are not visited. */
  readonly hidden: readonly string[];
  readonly breath: Breath;
}

export class TooManyFiles extends Error {
  readonly root: string;

  constructor(root: string, maxFiles: number) {
    super(`${root} has more than ${maxFiles} files.`);
    this.name = "TooManyFiles";
    this.root = root;
  }
}

/**
 * Visits everything in the scope, by its path relative to the root. Enters mounts of other file systems, but no kernel
 * views. Never follows links. Skips what disappears during the walk or is not readable.
 * @param visit Called without `stats` for a name that is not valid text; with `apart` for a folder that is not entered.
 * @throws {TooManyFiles} beyond `maxFiles`, folders counted.
 */
export async function walkTree(
  scope: TreeScope,
  options: WalkOptions,
  visit: (path: string, stats: Stats | undefined, apart: boolean) => void,
): Promise<void> {
  const hidden = new Set(
    options.hidden.flatMap((path) => (path.startsWith(`${scope.root}/`) ? [path.slice(scope.root.length + 1)] : [])),
  );
  const waiting: string[] = [];
  const { dev: home } = lstatSync(scope.root, LOOK) ?? { dev: undefined };
  let count = 0;

  const look = (path: string, named: boolean): void => {
    const stats = lstatSync(`${scope.root}/${path}`, LOOK);
    if (stats === undefined && !path.includes(NO_TEXT)) return;
    if (++count > options.maxFiles) throw new TooManyFiles(scope.root, options.maxFiles);
    const folder = stats?.isDirectory() === true;
    const excluded = named || (folder && stats.dev !== home && isKernelView(`${scope.root}/${path}`));
    // A file `.git` only points to the repository.
    visit(path, stats, excluded && (folder || !path.endsWith(".git")));
    if (folder && !excluded) waiting.push(path);
  };

  if (scope.only === undefined) waiting.push("");
  else for (const path of scope.only) look(path, false);
  while (waiting.length > 0) {
    const folder = waiting.pop()!;
    const names = namesIn(`${scope.root}/${folder}`);
    for (const name of names) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (hidden.has(path)) continue;
      look(path, options.excluded.has(name) && (BUILT_BESIDE.get(name)?.some((one) => names.includes(one)) ?? true));
      if (options.breath.due) await options.breath.take();
    }
  }
}

/** The replacement character for bytes of a name that are not valid text. */
const NO_TEXT = "\ufffd";
const LOOK = { throwIfNoEntry: false } as const;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Removed meanwhile, or not readable: it could not be restored either.
  }
}

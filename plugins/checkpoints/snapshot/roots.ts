import { realpathSync, statSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { isKernelView } from "./kernel-views.ts";
import type { TreeScope } from "./walk-tree.ts";

/** Files and folders that mark the top folder of a project. */
const MARKS = [
  ".git",
  ".hg",
  ".jj",
  "package.json",
  "pyproject.toml",
  "Cargo.toml",
  "go.mod",
  "pom.xml",
  "build.gradle",
  "Makefile",
  "AGENTS.md",
];
/** Shared system folders: too broad to be one project. */
const SHARED = new Set([
  "/",
  "/tmp",
  "/var",
  "/var/tmp",
  "/etc",
  "/usr",
  "/opt",
  "/home",
  "/root",
  "/srv",
  "/mnt",
  "/media",
  "/Users",
  "/private",
  "/private/tmp",
]);

/**
 * The trees to save before a call changes `paths`: the project that contains a path, else its folder. If that is a home
 * directory or a shared system folder, only the path itself. Nothing for a kernel view such as /proc.
 */
export function scopesOf(paths: readonly string[], home: string): readonly TreeScope[] {
  const whole = new Map<string, TreeScope>();
  const single = new Map<string, Set<string>>();
  for (const path of paths) {
    const real = realFolder(path);
    if (isKernelView(real.folder)) continue;
    const root = projectOf(real.folder, home);
    if (root !== undefined) whole.set(root, { root });
    else if (real.rest !== "") single.set(real.folder, (single.get(real.folder) ?? new Set()).add(real.rest));
  }
  return [...whole.values(), ...[...single].map(([root, only]): TreeScope => ({ root, only: [...only].sort() }))];
}

/** The nearest existing folder, links resolved, and the rest of the path below it. For a folder, the folder itself. */
function realFolder(path: string): { readonly folder: string; readonly rest: string } {
  let folder = path;
  while (folder !== dirname(folder)) {
    try {
      const real = realpathSync(folder);
      if (statSync(real).isDirectory()) {
        const below = relative(folder, path);
        if (below !== "") return { folder: real, rest: below.split(sep)[0]! };
        return { folder: real, rest: "" };
      }
    } catch {
      // It does not exist yet or is not readable: try the folder above.
    }
    folder = dirname(folder);
  }
  return { folder, rest: relative(folder, path).split(sep)[0] ?? "" };
}

function projectOf(folder: string, home: string): string | undefined {
  if (isShared(folder) || folder === home || dirname(home) === folder) return undefined;
  for (let at = folder; !isShared(at) && at !== home && at !== dirname(at); at = dirname(at)) {
    if (MARKS.some((mark) => statSync(`${at}/${mark}`, { throwIfNoEntry: false }) !== undefined)) return at;
  }
  return folder;
}

function isShared(folder: string): boolean {
  return SHARED.has(folder);
}

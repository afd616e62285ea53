import { realpathSync, statSync } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { isKernelView } from "./kernel-views.ts";
import type { TreeScope } from "./walk-tree.ts";

/** What tells a project's top folder. */
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
/** Folders of everybody's: too wide to be one project. */
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
 * The trees to keep before a call changes `paths`: the project a path lies in, or its own folder where there is none. Where that would be
 * a home or a folder of everybody's, only the path itself. Of a view into the kernel, such as /proc, nothing.
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

/** The nearest folder that exists, links resolved, and what of the path lies below it. A folder stands for itself. */
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
      // It does not exist yet, or may not be looked at: the folder above it is asked.
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

import { dirname, join, resolve } from "node:path";
import { exists, look, readShort, real, subfolders, type Seen } from "./look.ts";

export interface Protected {
  readonly keep: readonly string[];
  readonly placeholders: readonly string[];
}

/** Names that an editor or a shell runs when the user opens the folder. */
const RUN_BY_THEMSELVES = [".vscode", ".envrc", ".idea"];
/** Those of them that are worth an empty folder where they do not exist. */
const WORTH_A_PLACEHOLDER = [".vscode", ".envrc"];

/** Names of a project that run automatically: read-only if they exist, occupied if they do not. */
export function protectedNames(folder: string, occupy: boolean): Protected {
  const there = RUN_BY_THEMSELVES.filter((name) => exists(join(folder, name)));
  return {
    keep: there.flatMap((name) => real(join(folder, name)) ?? []),
    placeholders: (occupy ? WORTH_A_PLACEHOLDER : [])
      .filter((name) => !there.includes(name))
      .map((name) => join(folder, name)),
  };
}

/**
 * Commands may commit to a repository, but not change what git runs. `.git` is mounted writable under its own name,
 * since a mount point cannot be moved aside and recreated.
 */
export function gitPlaces({ folder, git }: Seen): readonly (Protected & { readonly write: readonly string[] })[] {
  if (!git) return [];
  const dotGit = real(join(folder, ".git"));
  if (dotGit === undefined) return [];
  if (look(dotGit) === "folder") return dotGit === join(folder, ".git") ? [repository(dotGit, [])] : [];
  const own = linkedTree(dotGit);
  return own === undefined
    ? [{ write: [], keep: [dotGit], placeholders: [] }]
    : [
        repository(own.common, [
          dotGit,
          ...["gitdir", "commondir", "config.worktree"].map((name) => join(own.tree, name)).filter(exists),
        ]),
      ];
}

function repository(common: string, more: readonly string[]): Protected & { readonly write: readonly string[] } {
  const modules = subfolders(join(common, "modules")).flatMap((name) => [
    `modules/${name}/hooks`,
    `modules/${name}/config`,
  ]);
  const names = ["hooks", "config", "config.worktree", "info/attributes", ...modules].map((name) => join(common, name));
  // Hooks may lie elsewhere, as those of husky do.
  const hooks = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readShort(join(common, "config")) ?? "")?.[1];
  return {
    write: [common],
    keep: [
      ...more,
      ...(hooks === undefined ? [] : [resolve(dirname(common), hooks)]).flatMap((path) => real(path) ?? []),
      ...names.filter(exists).flatMap((path) => real(path) ?? []),
    ],
    placeholders: names.slice(0, 1).filter((path) => !exists(path)),
  };
}

/**
 * Where a further working tree of a repository keeps its state. The repository must name that tree as its own: a file
 * `.git` alone could name any folder.
 */
function linkedTree(file: string): { readonly tree: string; readonly common: string } | undefined {
  const named = /^gitdir: (.+)$/m.exec(readShort(file) ?? "")?.[1];
  const tree = named === undefined ? undefined : real(resolve(dirname(file), named));
  if (tree === undefined || !/\/worktrees\/[^/]+$/.test(tree)) return undefined;
  const back = readShort(join(tree, "gitdir"))?.trim();
  const common = dirname(dirname(tree));
  return back !== undefined && real(back) === file && exists(join(common, "HEAD")) ? { tree, common } : undefined;
}

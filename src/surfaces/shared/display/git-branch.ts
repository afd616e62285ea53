import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** The branch that is checked out in the git repository of a folder; a short commit id if none is. */
export async function gitBranch(folder: string): Promise<string | undefined> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const head = await headOf(join(at, ".git"));
    if (head !== undefined) return head.startsWith("ref: refs/heads/") ? head.slice(16) : head.slice(0, 7);
    if (dirname(at) === at) return undefined;
  }
}

/** The content of `HEAD`. In a worktree or submodule, `.git` is a file that names the folder. */
async function headOf(git: string): Promise<string | undefined> {
  const direct = await readText(join(git, "HEAD"));
  if (direct !== undefined) return direct;
  const elsewhere = /^gitdir: (.+)$/m.exec((await readText(git)) ?? "")?.[1];
  return elsewhere === undefined ? undefined : readText(join(resolve(dirname(git), elsewhere), "HEAD"));
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    return undefined; // It does not exist, or is not a file.
  }
}

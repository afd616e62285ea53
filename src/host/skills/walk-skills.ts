import { readdirSync, realpathSync, statSync, type Dirent, type Stats } from "node:fs";
import { join } from "node:path";

/** A `SKILL.md` on disk. */
export interface SkillOnDisk {
  /** From its root, `/` between folders. */
  readonly path: string;
  readonly folder: string;
  /** Changes when the file does. */
  readonly stamp: string;
}

const NO_SKILLS = new Set([
  ".git",
  ".github",
  ".hub",
  ".archive",
  ".history",
  ".venv",
  "venv",
  "node_modules",
  "site-packages",
  "__pycache__",
  ".tox",
  ".nox",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
]);
const MAX_DEPTH = 5;
const MAX_SKILLS = 10_000;

/**
 * Every skill below a folder, sorted by path. Links are followed, none twice. A skill's own folders hold no other
 * skill.
 */
export function walkSkills(root: string): readonly SkillOnDisk[] {
  const found: SkillOnDisk[] = [];
  const seen = new Set<string>();
  once(root);
  visit(root, "", 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));

  function visit(folder: string, path: string, depth: number): void {
    for (const entry of entriesOf(folder)) {
      if (NO_SKILLS.has(entry.name) || entry.isFile() || found.length >= MAX_SKILLS) continue;
      const below = { folder: join(folder, entry.name), path: path === "" ? entry.name : `${path}/${entry.name}` };
      if (entry.isSymbolicLink() && !once(below.folder)) continue;
      const file = fileAt(join(below.folder, "SKILL.md"));
      if (file !== undefined) found.push({ ...below, stamp: `${file.mtimeMs} ${file.size}` });
      else if (depth < MAX_DEPTH) visit(below.folder, below.path, depth + 1);
    }
  }

  /** A link to a folder that leads to itself ends here. */
  function once(folder: string): boolean {
    try {
      const real = realpathSync(folder);
      if (seen.has(real) || !statSync(real).isDirectory()) return false;
      seen.add(real);
      return true;
    } catch {
      return false; // It leads nowhere.
    }
  }
}

function fileAt(path: string): Stats | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats : undefined;
  } catch {
    return undefined; // Not ours to read, or a link that leads to itself.
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not there, or not ours to read: then it has none.
  }
}

import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { judgePath, type RiskContext } from "hermes-agent/plugin";

/** Folders that a skill may have, by the format's own words. */
export const SUPPORT = ["references", "templates", "assets", "scripts"] as const;
const MAX_DEPTH = 4;
const MAX_LISTED = 200;

export type Places = Pick<RiskContext, "home" | "agentHome">;

/**
 * The path behind the name of a skill's file, links followed, or why there is none: what the path policy refuses, what
 * leads out of the skill.
 * @param access A file that is to be made need not exist.
 */
export function skillFile(
  folder: string,
  file: string,
  access: "read" | "write" | "delete",
  places: Places,
): { readonly path: string } | { readonly refused: string } {
  const named = file.split(/[/\\]/);
  if (file.startsWith("/") || /^[A-Za-z]:/.test(file) || named.includes(".."))
    return { refused: `Path traversal: ${JSON.stringify(file)} is outside the skill.` };
  if (named.some((name) => name === "" || name.startsWith(".")))
    return { refused: `${JSON.stringify(file)} is not a valid name for a skill's file.` };
  const literal = join(folder, file);
  const root = realpathSync(folder);
  const path = resolved(literal);
  const { answer, reason } = judgePath({
    path,
    literal: join(root, file),
    access,
    home: places.home,
    agentHome: places.agentHome,
    roots: [root],
  });
  return answer === "deny" ? { refused: reason } : { path };
}

/** Resolves the existing part of the path; the rest is created later. */
function resolved(path: string): string {
  return existsSync(path)
    ? realpathSync(path)
    : join(dirname(path) === path ? path : resolved(dirname(path)), basename(path));
}

/** A skill's files by folder; empty folders are omitted. `other` has the files next to `SKILL.md`. */
export function filesOf(folder: string, places: Places): { readonly [group: string]: readonly string[] } {
  const isFile = (file: string): boolean => {
    const found = skillFile(folder, file, "read", places);
    return "path" in found && (statSync(found.path, { throwIfNoEntry: false })?.isFile() ?? false);
  };
  const groups: (readonly [string, readonly string[]])[] = SUPPORT.map((name) => [
    name,
    below(folder, name, 0).filter(isFile),
  ]);
  const other = entriesOf(folder).flatMap((entry) =>
    entry.isDirectory() || entry.name === "SKILL.md" || entry.name.startsWith(".") ? [] : [entry.name],
  );
  return Object.fromEntries(
    [...groups, ["other", other.filter(isFile)] as const]
      .filter(([, files]) => files.length > 0)
      .map(([name, files]) => [name, files.toSorted().slice(0, MAX_LISTED)]),
  );
}

function below(folder: string, name: string, depth: number): readonly string[] {
  return entriesOf(join(folder, name)).flatMap((entry) => {
    const path = `${name}/${entry.name}`;
    if (entry.isDirectory()) return depth < MAX_DEPTH ? below(folder, path, depth + 1) : [];
    return [path];
  });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Most skills have no such folder.
  }
}

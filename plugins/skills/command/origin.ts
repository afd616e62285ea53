import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Skill, SkillShelf } from "hermes-agent/plugin";
import { readLock } from "../hub/hub-state.ts";

/** Where a skill is from, and how far it is trusted for that. */
export interface Origin {
  readonly source: "builtin" | "hub" | "local" | "outside";
  readonly trust: "builtin" | "trusted" | "community" | "local";
}

/** The origins of the skills of a shelf. */
export function originsOf(shelf: SkillShelf): (skill: Skill) => Origin {
  const bundled = bundledNames(shelf);
  const lock = readLock(shelf.folder);
  return (skill) => {
    if (skill.source === "outside") return { source: "outside", trust: "local" };
    const installed = lock[basename(skill.path)];
    if (installed !== undefined && installed.install_path === skill.path)
      return { source: "hub", trust: installed.trust_level };
    return bundled.has(basename(skill.path))
      ? { source: "builtin", trust: "builtin" }
      : { source: "local", trust: "local" };
  };
}

/** Names of the skills that came along with the agent and were copied. */
function bundledNames({ folder }: SkillShelf): ReadonlySet<string> {
  const manifest = join(folder, ".bundled_manifest");
  return new Set(
    existsSync(manifest)
      ? readFileSync(manifest, "utf8")
          .split("\n")
          .flatMap((line) => (line.includes(":") ? [line.slice(0, line.lastIndexOf(":"))] : []))
      : [],
  );
}

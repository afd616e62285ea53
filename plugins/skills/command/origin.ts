import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Skill, SkillShelf } from "hermes-agent/plugin";

/** Where a skill is from, and how far it is trusted for that. */
export interface Origin {
  readonly source: "builtin" | "local" | "outside" | "plugin";
  readonly trust: "builtin" | "local" | "plugin";
}

/** The origins of the skills of a shelf. */
export function originsOf(shelf: SkillShelf): (skill: Skill) => Origin {
  const bundled = bundledNames(shelf);
  return (skill) => {
    if (skill.source === "outside") return { source: "outside", trust: "local" };
    return bundled.has(basename(skill.path)) ? { source: "builtin", trust: "builtin" } : { source: "local", trust: "local" };
  };
}

/** Names of the skills that came along with the agent and were copied. */
export function bundledNames({ folder }: SkillShelf): ReadonlySet<string> {
  const manifest = join(folder, ".bundled_manifest");
  return new Set(existsSync(manifest) ? readFileSync(manifest, "utf8").split("\n").flatMap((line) => (line.includes(":") ? [line.slice(0, line.lastIndexOf(":"))] : [])) : []);
}

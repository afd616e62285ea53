import type { Dirent } from "node:fs";
import * as disk from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { readSkill } from "../../../safety/skills/read-skill.ts";
import { scanSkill } from "../../../safety/skills/scan-skill.ts";

const MAX_DEPTH = 5;
const BESIDE = "SKILL.md";
/** Files of a skill that is in the plugin's own folder, beside the plugin's code. */
const SUPPORT = /^(?:SKILL\.md$|references\/|templates\/|assets\/|scripts\/)/;

/** A plugin's skill that is not safe, and the reasons: a sentence each, with its location. */
export interface DoubtfulSkill {
  readonly name: string;
  readonly verdict: "caution" | "dangerous";
  readonly reasons: readonly string[];
}

/** Scans the skills in a plugin's folder. Runs nothing of them. */
export async function doubtfulSkills(dir: string): Promise<readonly DoubtfulSkill[]> {
  const found: DoubtfulSkill[] = [];
  for (const folder of await skillFolders(dir, 0)) {
    const files = await readSkill(folder, disk);
    const { verdict, findings } = await scanSkill(
      folder === dir ? files.filter(({ path }) => SUPPORT.test(path)) : files,
    );
    if (verdict === "safe") continue;
    const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
    const reasons = grave.map(
      ({ file, line, reason }) => `${join(relative(dir, folder), file)}${line > 0 ? `:${line}` : ""}: ${reason}`,
    );
    found.push({ name: relative(dir, folder) || BESIDE, verdict, reasons });
  }
  return found;
}

/** The result for a fetched plugin's skills. */
export interface ScannedSkills {
  /** Findings for the user to check, a sentence each. */
  readonly doubts: readonly string[];
  /** Skills that are not installed, with reasons. */
  readonly leftOut: readonly string[];
}

/**
 * Scans a fetched plugin before its installation, and removes dangerous skills from it: a `SKILL.md` beside the code,
 * which most plugins have for their readers, and skills in separate folders, which the user should know about before
 * the install.
 */
export async function scanSkills(dir: string): Promise<ScannedSkills> {
  const doubtful = await doubtfulSkills(dir);
  const doubts: string[] = [];
  const leftOut: string[] = [];
  for (const { name, verdict, reasons } of doubtful) {
    if (verdict !== "dangerous") doubts.push(...reasons);
    else if (name === BESIDE) {
      await disk.rm(join(dir, BESIDE));
      leftOut.push(...reasons.map((reason) => `left out: ${reason}`));
    } else {
      await empty(join(dir, name));
      doubts.push(`its skill "${name}" is dangerous and is left out:`, ...reasons.map((reason) => `  ${reason}`));
    }
  }
  return { doubts, leftOut };
}

/** The plugin's code may need the skill's file. */
async function empty(folder: string): Promise<void> {
  await disk.rm(folder, { recursive: true });
  await disk.mkdir(folder);
  await disk.writeFile(
    join(folder, "SKILL.md"),
    `---\nname: ${basename(folder)}\ndescription: Removed because it is dangerous.\n---\n\nThe scan at the plugin's installation found this skill dangerous and removed its content. Tell the user so.\n`,
  );
}

async function skillFolders(folder: string, depth: number): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await disk.readdir(folder, { withFileTypes: true });
  const own = entries.some(({ name }) => name === "SKILL.md") ? [folder] : [];
  // Everything inside a skill is part of it; a plugin's own folder contains other files too.
  if (own.length > 0 && depth > 0) return own;
  const below = entries.filter(
    (entry) => entry.isDirectory() && !["node_modules", ".git", "__pycache__"].includes(entry.name),
  );
  const found =
    depth >= MAX_DEPTH ? [] : await Promise.all(below.map(({ name }) => skillFolders(join(folder, name), depth + 1)));
  return [...own, ...found.flat()];
}

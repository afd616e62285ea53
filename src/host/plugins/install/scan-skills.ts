import type { Dirent } from "node:fs";
import * as disk from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { readSkill } from "../../../safety/skills/read-skill.ts";
import { scanSkill } from "../../../safety/skills/scan-skill.ts";

const MAX_DEPTH = 5;
const BESIDE = "SKILL.md";
/** What belongs to a skill that lies in the plugin's own folder, beside the plugin's code. */
const SUPPORT = /^(?:SKILL\.md$|references\/|templates\/|assets\/|scripts\/)/;

/** A skill of a plugin that is not safe, and why: a sentence each, with its place. */
export interface DoubtfulSkill {
  readonly name: string;
  readonly verdict: "caution" | "dangerous";
  readonly reasons: readonly string[];
}

/** Looks through the skills that lie in a plugin's folder. Nothing of them is run. */
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

/** What became of a fetched plugin's skills. */
export interface ScannedSkills {
  /** What a person should look at, a sentence each. */
  readonly doubts: readonly string[];
  /** What is not installed with the rest, and why. */
  readonly leftOut: readonly string[];
}

/**
 * The same before a fetched plugin is installed, for which what is dangerous is taken out of what was fetched: a `SKILL.md` beside the code, which
 * most plugins have for their readers, and skills in folders of their own, which a person should know of before the rest is installed.
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
      doubts.push(`its skill "${name}" is dangerous, and is left out:`, ...reasons.map((reason) => `  ${reason}`));
    }
  }
  return { doubts, leftOut };
}

/** The plugin's code may count on the skill's file. */
async function empty(folder: string): Promise<void> {
  await disk.rm(folder, { recursive: true });
  await disk.mkdir(folder);
  await disk.writeFile(
    join(folder, "SKILL.md"),
    `---\nname: ${basename(folder)}\ndescription: Left out, because it is dangerous.\n---\n\nThis skill was judged dangerous when its plugin was installed, and nothing of it was kept. Tell the person so.\n`,
  );
}

async function skillFolders(folder: string, depth: number): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await disk.readdir(folder, { withFileTypes: true });
  const own = entries.some(({ name }) => name === "SKILL.md") ? [folder] : [];
  // What lies within a skill is part of it; a plugin's own folder holds others beside its own.
  if (own.length > 0 && depth > 0) return own;
  const below = entries.filter(
    (entry) => entry.isDirectory() && !["node_modules", ".git", "__pycache__"].includes(entry.name),
  );
  const found =
    depth >= MAX_DEPTH ? [] : await Promise.all(below.map(({ name }) => skillFolders(join(folder, name), depth + 1)));
  return [...own, ...found.flat()];
}

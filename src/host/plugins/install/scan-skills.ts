import type { Dirent } from "node:fs";
import * as disk from "node:fs/promises";
import { join, relative } from "node:path";
import { UserError } from "../../../contract/failure.ts";
import { readSkill } from "../../../safety/skill/read-skill.ts";
import { scanSkill } from "../../../safety/skill/scan-skill.ts";

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
    const { verdict, findings } = await scanSkill(folder === dir ? files.filter(({ path }) => SUPPORT.test(path)) : files);
    if (verdict === "safe") continue;
    const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
    const reasons = grave.map(({ file, line, reason }) => `${join(relative(dir, folder), file)}${line > 0 ? `:${line}` : ""}: ${reason}`);
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
 * The same before a fetched plugin is installed. A dangerous `SKILL.md` beside the code, which most plugins have for their readers, is
 * taken out of what was fetched.
 * @throws {UserError} A skill in a folder of its own is dangerous.
 */
export async function scanSkills(dir: string, from: string): Promise<ScannedSkills> {
  const doubtful = await doubtfulSkills(dir);
  const beside = doubtful.find(({ name, verdict }) => name === BESIDE && verdict === "dangerous");
  if (beside !== undefined) await disk.rm(join(dir, BESIDE));
  const dangerous = doubtful.find((skill) => skill !== beside && skill.verdict === "dangerous");
  if (dangerous === undefined) return { doubts: doubtful.flatMap((skill) => (skill === beside ? [] : skill.reasons)), leftOut: (beside?.reasons ?? []).map((reason) => `left out: ${reason}`) };
  throw new UserError(`${from} is not installed: its skill "${dangerous.name}" is dangerous.\n${dangerous.reasons.map((line) => `  ${line}`).join("\n")}`, {
    hint: "To have the rest of it, take the skill out of a copy of your own and install that folder.",
  });
}

async function skillFolders(folder: string, depth: number): Promise<readonly string[]> {
  const entries: readonly Dirent[] = await disk.readdir(folder, { withFileTypes: true });
  const own = entries.some(({ name }) => name === "SKILL.md") ? [folder] : [];
  // What lies within a skill is part of it; a plugin's own folder holds others beside its own.
  if (own.length > 0 && depth > 0) return own;
  const below = entries.filter((entry) => entry.isDirectory() && !["node_modules", ".git", "__pycache__"].includes(entry.name));
  const found = depth >= MAX_DEPTH ? [] : await Promise.all(below.map(({ name }) => skillFolders(join(folder, name), depth + 1)));
  return [...own, ...found.flat()];
}

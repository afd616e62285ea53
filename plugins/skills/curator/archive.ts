import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UserError } from "hermes-agent/plugin";
import { changeUsage, readUsage, type UsageDoor } from "../usage.ts";

const ARCHIVE = ".archive";

/**
 * Puts a skill's folder away as it is. Nothing empties the archive.
 * @param into The skill that has its content now.
 */
export async function archiveSkill(door: UsageDoor, path: string, into?: string, now = new Date()): Promise<void> {
  const { folder } = door.skills;
  const name = basename(path);
  // Where it lay is known before it goes: a kill between the two leaves it where it is.
  await changeUsage(door, (usage) => (usage[name] === undefined ? usage : { ...usage, [name]: { ...usage[name], state: "archived", archived_at: now.toISOString(), path, ...(into === undefined ? {} : { absorbed_into: into }) } }));
  const archive = join(folder, ARCHIVE);
  mkdirSync(archive, { recursive: true, mode: 0o700 });
  let place = join(archive, name);
  for (let number = 2; existsSync(place); number++) place = join(archive, `${name}-${number}`);
  renameSync(join(folder, path), place);
  for (let above = dirname(join(folder, path)); above !== folder && readdirSync(above).length === 0; above = dirname(above)) rmdirSync(above);
}

/** Names of what lies in the archive. */
export function archived(folder: string): readonly string[] {
  const archive = join(folder, ARCHIVE);
  return existsSync(archive) ? readdirSync(archive).filter((name) => existsSync(join(archive, name, "SKILL.md"))).sort() : [];
}

/** @returns where it lies again. @throws {UserError} when it is not in the archive, or its place is taken. */
export async function restoreArchived(door: UsageDoor, name: string, now = new Date()): Promise<string> {
  const { folder } = door.skills;
  if (!archived(folder).includes(name)) throw new UserError(`There is no archived skill "${name}".`, { hint: archived(folder).length === 0 ? "Nothing is archived." : `Archived: ${archived(folder).join(", ")}.` });
  const path = readUsage(folder)[name]?.path ?? name;
  const target = join(folder, path);
  if (existsSync(target)) throw new UserError(`${path} is there already.`, { hint: "Rename or delete the one that is there first." });
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  renameSync(join(folder, ARCHIVE, name), target);
  // Somebody wanted it just now: it does not go again with the next run.
  await changeUsage(door, (usage) => {
    if (usage[name] === undefined) return usage;
    const { path: _path, absorbed_into: _into, ...record } = usage[name];
    return { ...usage, [name]: { ...record, state: "active", archived_at: null, last_used_at: now.toISOString() } };
  });
  return path;
}

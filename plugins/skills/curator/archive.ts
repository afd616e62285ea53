import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { definedFields, UserError } from "hermes-agent/plugin";
import { changeUsage, readUsage, type UsageDoor } from "../usage.ts";

const ARCHIVE = ".archive";

/**
 * Moves a skill's folder into the archive, which is never emptied.
 * @param into The skill that took over its content.
 */
export async function archiveSkill(door: UsageDoor, path: string, into?: string, now = new Date()): Promise<void> {
  const { folder } = door.skills;
  mkdirSync(join(folder, ARCHIVE), { recursive: true, mode: 0o700 });
  let place = join(ARCHIVE, basename(path));
  for (let number = 2; existsSync(join(folder, place)); number++) place = join(ARCHIVE, `${basename(path)}-${number}`);
  // Where it lay is known before it goes: a kill between the two leaves it where it is.
  await changeUsage(door, (usage) =>
    usage[path] === undefined
      ? usage
      : {
          ...usage,
          [place]: {
            ...usage[path],
            state: "archived",
            archived_at: now.toISOString(),
            path,
            ...definedFields({ absorbed_into: into }),
          },
        },
  );
  renameSync(join(folder, path), join(folder, place));
  await changeUsage(door, ({ [path]: _gone, ...others }) => others);
  for (
    let above = dirname(join(folder, path));
    above !== folder && readdirSync(above).length === 0;
    above = dirname(above)
  )
    rmdirSync(above);
}

/** Names of the archived skills. */
export function archived(folder: string): readonly string[] {
  const archive = join(folder, ARCHIVE);
  return existsSync(archive)
    ? readdirSync(archive)
        .filter((name) => existsSync(join(archive, name, "SKILL.md")))
        .sort()
    : [];
}

/** @returns where it lies again. @throws {UserError} when it is not in the archive, or its place is taken. */
export async function restoreArchived(door: UsageDoor, name: string, now = new Date()): Promise<string> {
  const { folder } = door.skills;
  if (!archived(folder).includes(name))
    throw new UserError(`There is no archived skill "${name}".`, {
      hint: archived(folder).length === 0 ? "Nothing is archived." : `Archived: ${archived(folder).join(", ")}.`,
    });
  const place = join(ARCHIVE, name);
  const usage = readUsage(folder);
  // The original keeps the record of an archived skill by its name.
  const key = usage[place] === undefined && usage[name]?.state === "archived" ? name : place;
  const path = usage[key]?.path ?? name;
  const target = join(folder, path);
  if (existsSync(target))
    throw new UserError(`${path} already exists.`, { hint: "Rename or delete the existing one first." });
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  renameSync(join(folder, place), target);
  // The user needs it now, so the next run must not archive it again.
  await changeUsage(door, ({ [key]: was, ...others }) => {
    if (was === undefined) return others;
    const { path: _path, absorbed_into: _into, ...record } = was;
    return { ...others, [path]: { ...record, state: "active", archived_at: null, last_used_at: now.toISOString() } };
  });
  return path;
}

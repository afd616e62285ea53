import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PluginContext } from "hermes-agent/plugin";

/** The record of a skill that the agent created. The keys are the original's; times are ISO texts. */
export interface SkillRecord {
  readonly created_by: "agent" | null;
  readonly created_at: string;
  readonly use_count: number;
  readonly view_count: number;
  readonly patch_count: number;
  readonly last_used_at: string | null;
  readonly last_viewed_at: string | null;
  readonly last_patched_at: string | null;
  readonly state: "active" | "stale" | "archived";
  readonly pinned: boolean;
  readonly archived_at: string | null;
  /** Of an archived one: where it lay in the folder of skills. */
  readonly path?: string;
  /** The skill that has the content of an archived one now. */
  readonly absorbed_into?: string;
}

/**
 * Keyed by path in the folder of skills, so that a skill of the same name elsewhere has no record; archived skills by
 * their archive folder.
 */
export interface Usage {
  readonly [path: string]: SkillRecord;
}

const FILE = ".usage.json";

export function readUsage(skills: string): Usage {
  const file = join(skills, FILE);
  return existsSync(file) ? parsed(readFileSync(file, "utf8")) : {};
}

/** Under the lock that every process of the agent takes. */
export async function changeUsage(
  { skills, home, changeFile }: UsageDoor,
  change: (usage: Usage) => Usage,
): Promise<void> {
  await changeFile(join(skills.folder, FILE).slice(home.length + 1), (text) => {
    const before = text === undefined ? {} : parsed(text);
    const after = change(before);
    return after === before ? undefined : `${JSON.stringify(after, undefined, 1)}\n`;
  });
}

export type UsageDoor = Pick<PluginContext, "home" | "changeFile" | "log"> & {
  readonly skills: { readonly folder: string };
};

/**
 * Notes what was done with a skill, where it is one of the agent's. That it could not be noted keeps nothing from being
 * done.
 * @param path The skill's, from the folder of skills.
 */
export async function noteUse(
  door: UsageDoor,
  path: string,
  did: "created" | "viewed" | "used" | "patched" | "deleted",
  now = new Date(),
): Promise<void> {
  if (did !== "created" && readUsage(door.skills.folder)[path] === undefined) return;
  try {
    await changeUsage(door, (usage) => noted(usage, path, did, now.toISOString()));
  } catch (cause) {
    door.log.warning(`The use of the skill ${path} could not be recorded.`, { cause });
  }
}

function noted(usage: Usage, path: string, did: Parameters<typeof noteUse>[2], at: string): Usage {
  const { [path]: record, ...others } = usage;
  if (did === "deleted") return others;
  if (did === "created") return { ...usage, [path]: { ...NEW, created_at: at } };
  if (record === undefined) return usage;
  const viewed = { view_count: record.view_count + 1, last_viewed_at: at };
  const more =
    did === "patched"
      ? { patch_count: record.patch_count + 1, last_patched_at: at }
      : did === "viewed"
        ? viewed
        : { ...viewed, use_count: record.use_count + 1, last_used_at: at };
  return { ...usage, [path]: { ...record, ...more } };
}

const NEW: Omit<SkillRecord, "created_at"> = {
  created_by: "agent",
  use_count: 0,
  view_count: 0,
  patch_count: 0,
  last_used_at: null,
  last_viewed_at: null,
  last_patched_at: null,
  state: "active",
  pinned: false,
  archived_at: null,
};

/** A file that cannot be read knows of nothing: whatever it would have named is left alone. */
function parsed(text: string): Usage {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(
      Object.entries(value as Record<string, Partial<SkillRecord>>)
        .filter(([, record]) => typeof record === "object" && record !== null)
        .map(([name, record]) => [name, { ...NEW, created_by: null, created_at: "", ...record }]),
    );
  } catch {
    return {};
  }
}

import { basename } from "node:path";
import type { Skill } from "hermes-agent/plugin";
import type { SkillRecord, Usage } from "../usage.ts";

export interface CuratorSettings {
  readonly enabled: boolean;
  readonly intervalHours: number;
  readonly minIdleHours: number;
  readonly staleAfterDays: number;
  readonly archiveAfterDays: number;
  readonly consolidate: boolean;
  /** How long the model that is asked about overlaps may take. */
  readonly modelMs: number;
}

export interface RetainedSkill {
  readonly name: string;
  /** From the folder of skills. */
  readonly path: string;
  readonly record: SkillRecord;
  /** When something was last done with it, epoch ms; of one whose record says nothing, `undefined`. */
  readonly lastAt: number | undefined;
  /** Why the curator leaves it alone. */
  readonly spared?: "pinned" | "used by a scheduled job";
}

export interface Change {
  readonly skill: RetainedSkill;
  readonly to: "active" | "stale" | "archived";
  readonly days: number;
}

const DAY_MS = 86_400_000;

/**
 * The skills that the agent created and that are its own; the curator manages no others.
 * @param ofJobs Names of skills that scheduled jobs use.
 */
export function retainedSkills(
  local: readonly Skill[],
  usage: Usage,
  ofJobs: ReadonlySet<string>,
): readonly RetainedSkill[] {
  return local.flatMap((skill): readonly RetainedSkill[] => {
    const name = basename(skill.path);
    const record = usage[skill.path];
    if (record?.created_by !== "agent" || record.state === "archived") return [];
    const spared = record.pinned
      ? "pinned"
      : ofJobs.has(name) || ofJobs.has(skill.name) || ofJobs.has(skill.path)
        ? "used by a scheduled job"
        : undefined;
    return [{ name, path: skill.path, record, lastAt: lastOf(record), spared }];
  });
}

/** Plans changes by age. A skill of unknown age does not change. */
export function planChanges(
  saved: readonly RetainedSkill[],
  { staleAfterDays, archiveAfterDays }: CuratorSettings,
  now: number,
): readonly Change[] {
  return saved.flatMap((skill): readonly Change[] => {
    if (skill.spared !== undefined || skill.lastAt === undefined) return [];
    const days = Math.floor((now - skill.lastAt) / DAY_MS);
    const to = days >= archiveAfterDays ? "archived" : days >= staleAfterDays ? "stale" : "active";
    return to !== "archived" && to === skill.record.state ? [] : [{ skill, to, days }];
  });
}

function lastOf({ created_at, last_used_at, last_viewed_at, last_patched_at }: SkillRecord): number | undefined {
  const times = [created_at, last_used_at, last_viewed_at, last_patched_at]
    .map((text) => Date.parse(text ?? ""))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

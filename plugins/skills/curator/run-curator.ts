import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PluginContext, readableText } from "hermes-agent/plugin";
import { originsOf } from "../command/origin.ts";
import { keepVersion } from "../history.ts";
import { writeWhole } from "../manage/write-whole.ts";
import { changeUsage, readUsage } from "../usage.ts";
import { archiveSkill } from "./archive.ts";
import { proposeMerges, type Merge } from "./consolidate.ts";
import { changeState, readState } from "./curator-state.ts";
import { retainedSkills, planChanges, type Change, type CuratorSettings, type RetainedSkill } from "./plan.ts";

export type CuratorDoor = Pick<
  PluginContext,
  "home" | "changeFile" | "log" | "skills" | "setting" | "llm" | "jobs" | "sessions"
>;

const HOUR_MS = 3_600_000;

export function curatorSettings({ setting }: Pick<PluginContext, "setting">): CuratorSettings {
  const number = (path: string, otherwise: number): number => Number(setting(path) ?? otherwise);
  return {
    enabled: setting("curator.enabled") !== false,
    intervalHours: number("curator.interval_hours", 168),
    minIdleHours: number("curator.min_idle_hours", 2),
    staleAfterDays: number("curator.stale_after_days", 30),
    archiveAfterDays: number("curator.archive_after_days", 90),
    consolidate: setting("curator.consolidate") === true,
    modelMs: number("auxiliary.curator.timeout", 600) * 1000,
  };
}

/** The agent's own skills as they are now. */
export async function agentSkills(door: CuratorDoor): Promise<readonly RetainedSkill[]> {
  const jobs = await (await door.jobs()).list();
  const originOf = originsOf(door.skills);
  const local = (await door.skills.all()).filter((skill) => originOf(skill).source === "local");
  return retainedSkills(local, readUsage(door.skills.folder), new Set(jobs.flatMap(({ skills }) => skills)));
}

/** Whether an automatic run is due. The first call only records the time. */
export async function isDue(door: CuratorDoor, now = Date.now()): Promise<boolean> {
  const { enabled, intervalHours, minIdleHours } = curatorSettings(door);
  const { paused, last_run_at, first_seen_at } = readState(door.skills.folder);
  if (!enabled || paused || Object.keys(readUsage(door.skills.folder)).length === 0) return false;
  const since = Date.parse(last_run_at ?? first_seen_at ?? "");
  if (Number.isNaN(since)) {
    await changeState(door, (state) => ({ ...state, first_seen_at: new Date(now).toISOString() }));
    return false;
  }
  if (now - since < intervalHours * HOUR_MS) return false;
  const [newest] = await door.sessions.list({ limit: 1 });
  return newest === undefined || now - newest.lastAt >= minIdleHours * HOUR_MS;
}

/**
 * Marks what was not used for long, puts away what was not used for longer, and has skills that overlap become one
 * where that is wanted. Everything can be brought back: folders are moved into the archive, what is rewritten is kept
 * as a version.
 * @returns what was done, or would be, a line each.
 */
export async function runCurator(
  door: CuratorDoor,
  options: {
    readonly dryRun: boolean;
    readonly consolidate: boolean;
    readonly signal: AbortSignal;
    readonly now?: number;
  },
): Promise<readonly string[]> {
  const now = options.now ?? Date.now();
  const saved = await agentSkills(door);
  const settings = curatorSettings(door);
  const changes = planChanges(saved, settings, now);
  const lines = changes.map(({ skill, to, days }) => `${WORDS[to]} ${skill.path}: not used for ${days} days`);
  if (!options.dryRun) await carryOut(door, changes, now);
  if (options.consolidate) {
    const gone = new Set(changes.filter(({ to }) => to === "archived").map(({ skill }) => skill.path));
    const left = saved.filter(({ path, spared }) => spared === undefined && !gone.has(path));
    try {
      const { merges, refused } = await proposeMerges(left, door.skills, door.llm, settings.modelMs, options.signal);
      for (const merge of merges) {
        const changed = await changedSince(door, merge);
        if (changed !== undefined) {
          refused.push(`${changed} was changed meanwhile`);
          continue;
        }
        if (!options.dryRun) await carryOutMerge(door, merge, now);
        lines.push(`merge ${merge.from.map(({ path }) => path).join(", ")} into ${merge.into.path}`);
      }
      lines.push(...refused.map((why) => `did not merge as the model proposed: ${why}`));
    } catch (cause) {
      if (options.signal.aborted) throw cause;
      // The run counts as done: a failing model is not asked, and paid, again at the next check.
      lines.push(
        `the search for overlaps failed: ${(cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]!}`,
      );
    }
  }
  if (!options.dryRun)
    await changeState(door, (state) => ({
      ...state,
      last_run_at: new Date(now).toISOString(),
      last_run_summary: lines.length === 0 ? "nothing to do" : lines.join("; "),
      run_count: state.run_count + 1,
    }));
  return lines;
}

const WORDS = { active: "active again", stale: "stale", archived: "archive" } as const;

async function carryOut(door: CuratorDoor, changes: readonly Change[], now: number): Promise<void> {
  for (const { skill, to } of changes) {
    if (to === "archived") await archiveSkill(door, skill.path, undefined, new Date(now));
    else
      await changeUsage(door, (usage) =>
        usage[skill.path] === undefined ? usage : { ...usage, [skill.path]: { ...usage[skill.path]!, state: to } },
      );
  }
}

/** A skill of a merge that is not what the model was shown any more, or that the curator has to leave alone by now. */
async function changedSince(door: CuratorDoor, { into, from, shown }: Merge): Promise<string | undefined> {
  const free = new Set((await agentSkills(door)).filter(({ spared }) => spared === undefined).map(({ path }) => path));
  return [into, ...from]
    .map(({ path }) => path)
    .find(
      (path) =>
        !free.has(path) || readableText(readFileSync(join(door.skills.folder, path, "SKILL.md"))) !== shown.get(path),
    );
}

async function carryOutMerge(door: CuratorDoor, { into, from, content }: Merge, now: number): Promise<void> {
  const { folder } = door.skills;
  keepVersion(folder, into.path, "the curator's merge");
  writeWhole(join(folder, into.path, "SKILL.md"), content);
  for (const skill of from) await archiveSkill(door, skill.path, into.path, new Date(now));
}

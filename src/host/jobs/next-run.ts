import type { Schedule } from "../../contract/services/job.ts";
import { cronTimes } from "./cron-times.ts";

/**
 * When a job is due after `now`, epoch ms; an interval counts from `from`, so that late runs do not shift it. One-shots
 * have no next time.
 */
export async function nextRun(schedule: Schedule, now: number, zone: string, from = now): Promise<number | undefined> {
  if (schedule.kind === "once") return undefined;
  if (schedule.kind === "cron") return (await cronTimes(schedule.expr, zone)).after(now);
  const every = Math.max(1, schedule.minutes) * 60_000;
  const steps = from > now ? 1 : Math.floor((now - from) / every) + 1;
  // A clock that was set back must not keep a job waiting for longer than its interval.
  return Math.min(from + steps * every, now + every);
}

/**
 * How late a run may be and still count for its time: half the period, between two minutes and two hours. A later run
 * stands for all missed ones and reports that; there is never one run for each.
 */
export async function graceOf(schedule: Schedule, dueAt: number, zone: string): Promise<number> {
  if (schedule.kind === "once") return Infinity;
  const next =
    schedule.kind === "interval"
      ? dueAt + schedule.minutes * 60_000
      : ((await cronTimes(schedule.expr, zone)).after(dueAt) ?? dueAt);
  return Math.min(Math.max((next - dueAt) / 2, 120_000), 7_200_000);
}

/** How many more due times have passed since `dueAt`. */
export async function missedSince(schedule: Schedule, dueAt: number, now: number, zone: string): Promise<number> {
  if (schedule.kind === "once") return 0;
  if (schedule.kind === "interval") return Math.max(0, Math.floor((now - dueAt) / (schedule.minutes * 60_000)));
  const times = await cronTimes(schedule.expr, zone);
  let count = 0;
  for (let at = times.after(dueAt); at !== undefined && at <= now && count < MAX_COUNTED; at = times.after(at)) count++;
  return count;
}

/** A higher count adds no information. */
const MAX_COUNTED = 1_000;

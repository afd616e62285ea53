import type { Job } from "../../contract/services/job.ts";
import { nextRun } from "./next-run.ts";
import { ONCE_GRACE_MS } from "./parse-schedule.ts";
import { toIso } from "./zoned-time.ts";

/** When a job is or was due, epoch ms; `undefined`: never again. Uses the record unless it is outdated. */
export async function dueTime(job: Job, now: number, zone: string): Promise<number | undefined> {
  if (job.triggered_at !== null) return Date.parse(job.triggered_at);
  if (!job.enabled) return undefined;
  const { schedule } = job;
  const stored = job.next_run_at === null ? NaN : Date.parse(job.next_run_at);
  if (Number.isNaN(stored))
    return schedule.kind === "once" ? neverRun(job, schedule.run_at, now) : nextRun(schedule, now, zone);
  // The user moved to another time zone: nine o'clock means local time.
  if (schedule.kind === "cron" && movedAhead(job.next_run_at!, stored, now, zone)) return nextRun(schedule, now, zone);
  // The clock was set back.
  if (schedule.kind === "interval" && stored > now + schedule.minutes * 60_000) return now + schedule.minutes * 60_000;
  return stored;
}

function neverRun(job: Job, runAt: string, now: number): number | undefined {
  const at = Date.parse(runAt);
  return job.last_run_at === null && at >= now - ONCE_GRACE_MS ? at : undefined;
}

function movedAhead(stored: string, at: number, now: number, zone: string): boolean {
  const [wall, there, here] = [stored.slice(0, 19), toIso(at, zone), toIso(now, zone)];
  return wall !== there.slice(0, 19) && wall > here.slice(0, 19);
}

import type { Job } from "../../contract/services/job.ts";
import { UnreadableSchedule } from "./cron-times.ts";
import { dueTime } from "./due-time.ts";
import { isoOf, type JobParts } from "./job-parts.ts";
import { zoneOf } from "./job-ports.ts";
import { openRuns, putJob, readJob, readJobs } from "./job-table.ts";

/** A job, and when it is next to run. */
export interface DueJob {
  readonly job: Job;
  readonly at: number;
}

type Parts = Pick<JobParts, "ports" | "store">;

/** Every job that is to run some time and does not run now, soonest first. */
export async function dueJobs(parts: Parts): Promise<readonly DueJob[]> {
  const { ports, store } = parts;
  const deferred = await store.deferred();
  const running = new Set((await store.read(openRuns)).map(({ jobId }) => jobId));
  const jobs = (await store.read(readJobs)).filter(
    ({ job, imported }) => !running.has(job.id) && (deferred === undefined || !imported),
  );
  const due = await Promise.all(
    jobs.map(async ({ job }) => ({
      job,
      at: await dueTime(job, ports.now(), zoneOf(ports)).catch((cause: unknown) =>
        disableUnreadable(job, cause, parts),
      ),
    })),
  );
  return due.filter((one): one is DueJob => one.at !== undefined).toSorted((one, other) => one.at - other.at);
}

/**
 * Disables a job with an unreadable schedule, which another program wrote, so that the user sees it and other jobs run.
 * @throws {unknown} any other failure.
 */
export async function disableUnreadable(job: Job, cause: unknown, { ports, store }: Parts): Promise<undefined> {
  if (!(cause instanceof UnreadableSchedule)) throw cause;
  const why = `Its schedule "${job.schedule_display}" cannot be read: ${cause.message}.`;
  ports.log.warning(`The scheduled job "${job.name}" (${job.id}) was disabled. ${why}`);
  await store.write((file) => {
    if (readJob(file, job.id) !== undefined)
      putJob(file, {
        ...job,
        enabled: false,
        state: "error",
        next_run_at: null,
        triggered_at: null,
        last_status: "error",
        last_error: why,
      });
  });
}

/** Stores the time of a job that had lost it, or that has another since the clock or the time zone changed. */
export async function storeDueTime({ job, at }: DueJob, { ports, store }: Parts): Promise<void> {
  if (!job.enabled || job.triggered_at !== null) return;
  if (job.next_run_at !== null && Date.parse(job.next_run_at) === at) return;
  await store.write((file) => {
    if (JSON.stringify(readJob(file, job.id)) === JSON.stringify(job))
      putJob(file, { ...job, next_run_at: isoOf(ports, at) });
  });
}

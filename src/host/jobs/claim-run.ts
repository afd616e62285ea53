import type { ClaimedRun } from "../../contract/services/job-service.ts";
import type { Job, JobRun } from "../../contract/services/job.ts";
import { refusedPrompt } from "../../safety/commands/job-prompt.ts";
import { stampOf } from "../store/facts/session-id.ts";
import { closeClaimed } from "./close-run.ts";
import type { DueJob } from "./due-jobs.ts";
import { isoOf, laneOf, leaseLane, type JobParts } from "./job-parts.ts";
import { zoneOf, type JobPorts } from "./job-ports.ts";
import { insertRun, openRuns, putJob, readJob } from "./job-table.ts";
import { graceOf, missedSince, nextRun } from "./next-run.ts";

/**
 * Claims a due run for this process, and stores it before it starts.
 * @returns `undefined` if another process has it, or the job has changed.
 */
export async function claimRun(due: DueJob, now: number, parts: JobParts): Promise<ClaimedRun | undefined> {
  const { ports } = parts;
  const { job, at } = due;
  const zone = zoneOf(ports);
  const byHand = job.triggered_at !== null;
  const next = await nextTime(due, now, ports);
  const missed = !byHand && now - at > (await graceOf(job.schedule, at, zone));
  const caughtUp = byHand ? 0 : await missedSince(job.schedule, at, now, zone);
  const sessionId = await freeSessionId(job.id, now, ports);
  const lease = await leaseLane(ports, laneOf(job.id), `job ${job.name}`);
  if (lease === undefined) return undefined;
  const started = await startRun(due, { now, next, caughtUp }, parts);
  if (started === undefined) {
    await lease[Symbol.asyncDispose]();
    return undefined;
  }
  const { run, after } = started;
  return {
    job: after,
    run,
    missed,
    refused: refusedPrompt(after.prompt),
    sessionId,
    lost: lease.lost,
    async finish(result) {
      try {
        await closeClaimed(after, run, result, parts);
      } finally {
        await lease[Symbol.asyncDispose]();
      }
    },
  };
}

/** When the job runs after this run. A run by hand does not move a time that is still to come. */
async function nextTime({ job, at }: DueJob, now: number, ports: JobPorts): Promise<string | null> {
  const byHand = job.triggered_at !== null;
  const next = job.schedule.kind === "once" ? undefined : await nextRun(job.schedule, now, zoneOf(ports), at);
  if (byHand && job.next_run_at !== null && Date.parse(job.next_run_at) > now) return job.next_run_at;
  return next === undefined || (byHand && !job.enabled) ? null : isoOf(ports, next);
}

/** Stores the run and the job's next time, unless the job has changed or runs already. */
function startRun(
  { job, at }: DueJob,
  { now, next, caughtUp }: { readonly now: number; readonly next: string | null; readonly caughtUp: number },
  { store }: JobParts,
): Promise<{ readonly run: JobRun; readonly after: Job } | undefined> {
  return store.write((file) => {
    if (
      JSON.stringify(readJob(file, job.id)) !== JSON.stringify(job) ||
      openRuns(file).some(({ jobId }) => jobId === job.id)
    )
      return undefined;
    const run = insertRun(file, job.id, at, {
      name: job.name,
      state: "running",
      startedAt: now,
      caughtUp: caughtUp === 0 ? undefined : caughtUp,
    });
    const after: Job = {
      ...job,
      triggered_at: null,
      next_run_at: next,
      repeat: { ...job.repeat, completed: job.repeat.completed + (run === undefined ? 0 : 1) },
    };
    putJob(file, after);
    return run === undefined ? undefined : { run, after };
  });
}

/** A session id in the format of the Python Hermes; a second run in the same second gets a number. */
async function freeSessionId(jobId: string, at: number, ports: JobPorts): Promise<string> {
  const opened = await ports.store();
  const first = `cron_${jobId}_${stampOf(at)}`;
  for (let n = 1, id = first; ; n++, id = `${first}_${n}`) if ((await opened.lastSeq(id)) === 0) return id;
}

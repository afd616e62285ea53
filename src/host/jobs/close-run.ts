import type { RunResult } from "../../contract/services/job-service.ts";
import type { Job, JobRun } from "../../contract/services/job.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";
import { addDeliveries } from "./job-deliveries.ts";
import { isoOf, laneOf, leaseLane, type JobParts } from "./job-parts.ts";
import { secondsOf, zoneOf } from "./job-ports.ts";
import { closeRun, dropJob, openRuns, putJob, readJob } from "./job-table.ts";

/** Stores how a claimed run ended, its output and its deliveries. Deletes a job that has run as often as it was to. */
export async function closeClaimed(
  { id }: Job,
  run: JobRun,
  result: RunResult,
  { ports, store, outputs }: JobParts,
): Promise<void> {
  const now = ports.now();
  if ((await store.read((file) => readJob(file, id))) === undefined)
    return void (await store.write((file) =>
      closeRun(file, { ...run, state: result.ok ? "completed" : "failed", endedAt: now }),
    ));
  const output = outputs.save(
    id,
    now,
    zoneOf(ports),
    ports.redact(result.document),
    secondsOf(ports, "cron.output_retention", 50),
  );
  const error = result.error === undefined ? undefined : ports.redact(result.error);
  await store.write((file) => {
    const ended: JobRun = {
      ...run,
      state: result.ok ? "completed" : "failed",
      endedAt: now,
      output,
      ...definedFields({
        sessionId: result.sessionId,
        error,
        silent: result.message === undefined ? (true as const) : undefined,
      }),
    };
    const job = readJob(file, id);
    if (!closeRun(file, ended) || job === undefined) return;
    if (result.message !== undefined) addDeliveries(file, job, ports.redact(result.message));
    if (result.ok && isOver(job)) return dropJob(file, id);
    putJob(file, {
      ...disabledWithoutNext(job),
      last_run_at: isoOf(ports, run.startedAt),
      last_status: result.ok ? "ok" : "error",
      last_error: error ?? null,
    });
  });
}

/** Closes the runs whose process ended, and reports each to its chat. @returns the jobs and their closed runs. */
export async function closeInterrupted({
  ports,
  store,
}: JobParts): Promise<readonly { readonly job: Job; readonly run: JobRun }[]> {
  const closed: { job: Job; run: JobRun }[] = [];
  for (const run of await store.read(openRuns)) {
    if ((await (await ports.store()).heldBy(laneOf(run.jobId))) !== undefined) continue;
    await using lease = await leaseLane(ports, laneOf(run.jobId), "cleaning up");
    if (lease === undefined) continue;
    const job = await store.write((file) => {
      const job = readJob(file, run.jobId);
      if (
        !closeRun(file, { ...run, state: "interrupted", endedAt: ports.now(), error: INTERRUPTED }) ||
        job === undefined
      )
        return undefined;
      const after: Job = {
        ...disabledWithoutNext(job),
        last_run_at: isoOf(ports, run.startedAt),
        last_status: "error",
        last_error: INTERRUPTED,
      };
      putJob(file, after);
      addDeliveries(
        file,
        after,
        `Scheduled job "${after.name}" was interrupted because its process ended. Its effects are unknown, so Hermes does not run it again.`,
      );
      return after;
    });
    if (job !== undefined) closed.push({ job, run: { ...run, state: "interrupted", error: INTERRUPTED } });
  }
  return closed;
}

const INTERRUPTED = "Interrupted because its process ended. Hermes does not run it again.";

function isOver({ repeat }: Job): boolean {
  return repeat.times !== null && repeat.completed >= repeat.times;
}

/** A job without a next time stays visible, disabled. */
function disabledWithoutNext(job: Job): Job {
  if (!job.enabled || (job.next_run_at !== null && !isOver(job))) return job;
  return {
    ...job,
    enabled: false,
    next_run_at: null,
    state: job.schedule.kind === "once" || isOver(job) ? "error" : "completed",
  };
}

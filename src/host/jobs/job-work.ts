import { hostname } from "node:os";
import type { ClaimedRun, JobWork, RunResult } from "../../contract/services/job-service.ts";
import type { Job, JobRun } from "../../contract/services/job.ts";
import type { Lease } from "../../contract/conversation/store.ts";
import { refusedPrompt } from "../../safety/commands/job-prompt.ts";
import { stampOf } from "../store/facts/session-id.ts";
import { UnreadableSchedule } from "./cron-times.ts";
import { dueTime } from "./due-time.ts";
import { addDeliveries, endDelivery, readDeliveries } from "./job-deliveries.ts";
import type { Outputs } from "./job-output.ts";
import { secondsOf, zoneOf, type JobPorts } from "./job-ports.ts";
import { runScript } from "./job-script.ts";
import { TICKER, type JobStore } from "./job-store.ts";
import { closeRun, dropJob, insertRun, openRuns, putJob, readJob, readJobs, type StoredJob } from "./job-table.ts";
import { graceOf, missedSince, nextRun } from "./next-run.ts";
import { toIso } from "./zoned-time.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** One job runs in one process at a time: a lane of the store, which its holder's end frees. */
export function laneOf(jobId: string): string {
  return `cron ${jobId}`;
}

interface Due {
  readonly job: Job;
  readonly at: number;
}

/** How a scheduler gets due jobs: each firing goes to one process, once, and is stored before it runs. */
export function createJobWork(ports: JobPorts, store: JobStore, outputs: Outputs): JobWork {
  const zone = (): string => zoneOf(ports);
  const iso = (at: number): string => toIso(at, zone());
  const holder = (what: string): string => `${what} (process ${process.pid} on ${hostname()})`;

  async function lease(lane: string, who: string): Promise<Lease | undefined> {
    const lease = await (await ports.store()).lease(lane, who);
    return "fence" in lease ? lease : undefined;
  }

  /** Every job that is to run some time and does not run now, soonest first. */
  async function standing(): Promise<readonly Due[]> {
    const held = await store.deferred();
    const running = new Set((await store.read(openRuns)).map(({ jobId }) => jobId));
    const jobs = (await store.read(readJobs)).filter(
      ({ job, imported }) => !running.has(job.id) && (held === undefined || !imported),
    );
    const due = await Promise.all(
      jobs.map(async ({ job }: StoredJob) => ({
        job,
        at: await dueTime(job, ports.now(), zone()).catch((cause: unknown) =>
          cause instanceof UnreadableSchedule ? putAside(job, cause) : Promise.reject(cause),
        ),
      })),
    );
    return due.filter((one): one is Due => one.at !== undefined).toSorted((one, other) => one.at - other.at);
  }

  /**
   * A job whose times cannot be counted (another program wrote it) is switched off, to be seen, and holds up no other.
   */
  async function putAside(job: Job, cause: unknown): Promise<undefined> {
    const why = `Its schedule "${job.schedule_display}" cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`;
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

  async function take({ job, at }: Due, now: number): Promise<ClaimedRun | undefined> {
    const byHand = job.triggered_at !== null;
    const every = job.schedule.kind === "once" ? undefined : await nextRun(job.schedule, now, zone(), at);
    const missed = !byHand && now - at > (await graceOf(job.schedule, at, zone()));
    const caughtUp = byHand ? 0 : await missedSince(job.schedule, at, now, zone());
    const sessionId = await freeSessionId(job.id, now);
    const held = await lease(laneOf(job.id), holder(`job ${job.name}`));
    if (held === undefined) return undefined;
    // Asked for by hand, its own time stays, unless that has come, too.
    const stays = byHand && job.next_run_at !== null && Date.parse(job.next_run_at) > now;
    const next = stays ? job.next_run_at : every === undefined || (byHand && !job.enabled) ? null : iso(every);
    const taken = await store.write((file) => {
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
    if (taken === undefined) {
      await held[Symbol.asyncDispose]();
      return undefined;
    }
    const { run, after } = taken;
    return {
      job: after,
      run,
      missed,
      refused: refusedPrompt(after.prompt),
      sessionId,
      lost: held.lost,
      async finish(result) {
        try {
          await close(after, run, result);
        } finally {
          await held[Symbol.asyncDispose]();
        }
      },
    };
  }

  /** As the original names them; a second run of the same second gets a number. */
  async function freeSessionId(jobId: string, at: number): Promise<string> {
    const opened = await ports.store();
    const first = `cron_${jobId}_${stampOf(at)}`;
    for (let n = 1, id = first; ; n++, id = `${first}_${n}`) if ((await opened.lastSeq(id)) === 0) return id;
  }

  async function close({ id }: Job, run: JobRun, result: RunResult): Promise<void> {
    const now = ports.now();
    if ((await store.read((file) => readJob(file, id))) === undefined)
      return void (await store.write((file) =>
        closeRun(file, { ...run, state: result.ok ? "completed" : "failed", endedAt: now }),
      ));
    const output = outputs.save(
      id,
      now,
      zone(),
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
        ...stopped(job),
        last_run_at: iso(run.startedAt),
        last_status: result.ok ? "ok" : "error",
        last_error: error ?? null,
      });
    });
  }

  return {
    seat: (who) => lease(TICKER, holder(who)),
    nextAt: async () => (await standing())[0]?.at,
    async claim(limit) {
      const claimed: ClaimedRun[] = [];
      const now = ports.now();
      for (const one of await standing()) {
        if (claimed.length >= limit) break;
        if (one.at <= now) {
          const run = await take(one, now).catch((cause: unknown) =>
            cause instanceof UnreadableSchedule ? putAside(one.job, cause) : Promise.reject(cause),
          );
          if (run !== undefined) claimed.push(run);
        } else if (
          one.job.enabled &&
          one.job.triggered_at === null &&
          (one.job.next_run_at === null || Date.parse(one.job.next_run_at) !== one.at)
        ) {
          // It had lost its time, or has another since the clock changed.
          await store.write(
            (file) =>
              void (
                JSON.stringify(readJob(file, one.job.id)) === JSON.stringify(one.job) &&
                putJob(file, { ...one.job, next_run_at: iso(one.at) })
              ),
          );
        }
      }
      return claimed;
    },
    async interrupted() {
      const message: { job: Job; run: JobRun }[] = [];
      for (const run of await store.read(openRuns)) {
        if ((await (await ports.store()).heldBy(laneOf(run.jobId))) !== undefined) continue;
        await using held = await lease(laneOf(run.jobId), holder("cleaning up"));
        if (held === undefined) continue;
        const job = await store.write((file) => {
          const job = readJob(file, run.jobId);
          if (
            !closeRun(file, { ...run, state: "interrupted", endedAt: ports.now(), error: INTERRUPTED }) ||
            job === undefined
          )
            return undefined;
          const after: Job = {
            ...stopped(job),
            last_run_at: iso(run.startedAt),
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
        if (job !== undefined) message.push({ job, run: { ...run, state: "interrupted", error: INTERRUPTED } });
      }
      return message;
    },
    script: (job, signal) => runScript(ports, job.script ?? "", signal),
    lastOutput: async (jobId) => outputs.newest(jobId),
    undelivered: () => store.read(readDeliveries),
    delivered: (id, error) => store.write((file) => endDelivery(file, id, error)),
  };
}

const INTERRUPTED = "Interrupted because its process ended. Hermes does not run it again.";

function isOver({ repeat }: Job): boolean {
  return repeat.times !== null && repeat.completed >= repeat.times;
}

/** A job without a next time stays visible, disabled. */
function stopped(job: Job): Job {
  if (!job.enabled || (job.next_run_at !== null && !isOver(job))) return job;
  return {
    ...job,
    enabled: false,
    next_run_at: null,
    state: job.schedule.kind === "once" || isOver(job) ? "error" : "completed",
  };
}

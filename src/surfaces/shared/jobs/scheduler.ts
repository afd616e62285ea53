import type { App } from "../../../contract/services/app.ts";
import type { RunResult } from "../../../contract/services/job-service.ts";
import type { Job } from "../../../contract/services/job.ts";
import { handOver } from "./deliver-output.ts";
import { runJob } from "./run-job.ts";

/** Callbacks that report progress. */
export interface SchedulerEvents {
  started?(job: Job): void;
  ended?(job: Job, result: RunResult): void;
  /** The process that ran the job ended during the run. */
  interrupted?(job: Job): void;
  /** Another process runs due jobs; `undefined`: this process does now. */
  waiting?(forWhom: string | undefined): void;
}

/** How often to look for jobs that other processes created. */
const LOOK_MS = 5_000;

/** Runs all due jobs, with limited parallelism. Returns how many ran. */
export async function runDue(app: App, signal: AbortSignal, events: SchedulerEvents = {}): Promise<number> {
  const running = new Set<Promise<void>>();
  let count = 0;
  await recover(app, events);
  for (;;) {
    const started = signal.aborted ? 0 : await startDue(app, running, signal, events);
    count += started;
    if (running.size === 0) return count;
    await Promise.race(running);
  }
}

/**
 * Runs due jobs until it is stopped; then stops running jobs and stores their results. Of several processes of one
 * home, one is the scheduler and the others wait for it to end.
 */
export async function runScheduler(
  app: App,
  signal: AbortSignal,
  events: SchedulerEvents = {},
  who = "scheduler",
): Promise<void> {
  const running = new Set<Promise<void>>();
  const { work } = await app.jobs();
  let seat: Awaited<ReturnType<typeof work.seat>>;
  let lastHolder: string | undefined;
  try {
    while (!signal.aborted) {
      const woken = new AbortController();
      // This process was blocked so long that another became the scheduler.
      if (seat?.lost.aborted === true) seat = undefined;
      try {
        if (seat === undefined && (seat = await work.seat(who)) !== undefined) events.waiting?.(undefined);
        if (seat === undefined) {
          const holder = await (await app.jobs()).runner();
          if (holder !== lastHolder) events.waiting?.((lastHolder = holder));
        } else {
          await app.config.refresh();
          await recover(app, events);
          await startDue(app, running, signal, events);
        }
      } catch (cause) {
        // The disk may be full or the store locked. Try again later; due jobs are not lost.
        app.log.error("Cannot check for due jobs", { cause });
      }
      const soon = seat === undefined ? undefined : await work.nextAt().catch(() => undefined);
      const pause = Math.min(
        LOOK_MS,
        Math.max(soon === undefined ? LOOK_MS : soon - Date.now(), running.size >= maxParallel(app) ? LOOK_MS : MIN_MS),
      );
      void Promise.race(running).then(() => woken.abort());
      await sleep(pause, AbortSignal.any([signal, ...(running.size === 0 ? [] : [woken.signal])]));
    }
  } finally {
    await Promise.allSettled(running);
    await seat?.[Symbol.asyncDispose]();
  }
}

const MIN_MS = 250;

async function startDue(
  app: App,
  running: Set<Promise<void>>,
  signal: AbortSignal,
  events: SchedulerEvents,
): Promise<number> {
  const { work } = await app.jobs();
  const claimed = await work.claim(maxParallel(app) - running.size);
  for (const one of claimed) {
    events.started?.(one.job);
    const run: Promise<void> = runJob(app, one, signal)
      .then(async (result) => {
        events.ended?.(one.job, result);
        await handOver(app);
      })
      .catch((cause: unknown) =>
        app.log.error(`Cannot store or deliver the result of the scheduled job "${one.job.name}"`, { cause }),
      )
      .finally(() => running.delete(run));
    running.add(run);
  }
  return claimed.length;
}

/** Handles what an earlier process left unfinished. A failure here does not delay due jobs. */
async function recover(app: App, events: SchedulerEvents): Promise<void> {
  try {
    for (const { job, run } of await (await app.jobs()).work.interrupted()) {
      app.log.warning(`The scheduled job "${job.name}" (${job.id}) was interrupted because its process ended.`, {
        run: run.id,
      });
      events.interrupted?.(job);
    }
    await handOver(app);
  } catch (cause) {
    app.log.error("Cannot recover interrupted scheduled jobs", { cause });
  }
}

function maxParallel({ config }: App): number {
  const count = config.get("cron.max_parallel_jobs");
  return typeof count === "number" && count >= 1 ? count : 4;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
}

import type { App } from "../../../contract/services/app.ts";
import type { RunResult } from "../../../contract/services/job-service.ts";
import type { Job } from "../../../contract/services/job.ts";
import { handOver } from "./deliver-output.ts";
import { runJob } from "./run-job.ts";

/** Told what happens, where somebody watches. */
export interface SchedulerEvents {
  started?(job: Job): void;
  ended?(job: Job, result: RunResult): void;
  /** Its process had ended in the middle of it. */
  interrupted?(job: Job): void;
  /** Another process looks for due jobs; `undefined`: this one does now. */
  waiting?(forWhom: string | undefined): void;
}

/** How often jobs that other processes made are looked for. */
const LOOK_MS = 5_000;

/** Runs everything that is due now, so many at a time, and ends when it has. Returns how many ran. */
export async function runDue(app: App, signal: AbortSignal, events: SchedulerEvents = {}): Promise<number> {
  const running = new Set<Promise<void>>();
  let count = 0;
  await takeUp(app, events);
  for (;;) {
    const started = signal.aborted ? 0 : await startDue(app, running, signal, events);
    count += started;
    if (running.size === 0) return count;
    await Promise.race(running);
  }
}

/**
 * Runs due jobs until it is stopped; then what runs is stopped, too, and its end stored. Of several processes of one home one has the seat and
 * the others wait for it to go.
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
  let received: string | undefined;
  try {
    while (!signal.aborted) {
      const woken = new AbortController();
      // Held up for so long that another took it.
      if (seat?.lost.aborted === true) seat = undefined;
      try {
        if (seat === undefined && (seat = await work.seat(who)) !== undefined) events.waiting?.(undefined);
        if (seat === undefined) {
          const holder = await (await app.jobs()).runner();
          if (holder !== received) events.waiting?.((received = holder));
        } else {
          await app.config.refresh();
          await takeUp(app, events);
          await startDue(app, running, signal, events);
        }
      } catch (cause) {
        // A full disk, a locked store: the next look may find it mended, and nothing due is lost.
        app.log.error("Scheduled jobs could not be looked at", { cause });
      }
      const soon = seat === undefined ? undefined : await work.nextAt().catch(() => undefined);
      const pause = Math.min(
        LOOK_MS,
        Math.max(soon === undefined ? LOOK_MS : soon - Date.now(), running.size >= atMost(app) ? LOOK_MS : MIN_MS),
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
  const claimed = await work.claim(atMost(app) - running.size);
  for (const one of claimed) {
    events.started?.(one.job);
    const run: Promise<void> = runJob(app, one, signal)
      .then(async (result) => {
        events.ended?.(one.job, result);
        await handOver(app);
      })
      .catch((cause: unknown) =>
        app.log.error(`What came of the scheduled job "${one.job.name}" could not be stored or handed over`, { cause }),
      )
      .finally(() => running.delete(run));
    running.add(run);
  }
  return claimed.length;
}

/** What a process left that ended in the middle of something. Nothing due waits for what of it fails. */
async function takeUp(app: App, events: SchedulerEvents): Promise<void> {
  try {
    for (const { job, run } of await (await app.jobs()).work.interrupted()) {
      app.log.warning(
        `The scheduled job "${job.name}" (${job.id}) was interrupted: its process ended in the middle of it.`,
        { run: run.id },
      );
      events.interrupted?.(job);
    }
    await handOver(app);
  } catch (cause) {
    app.log.error("What scheduled jobs have left could not be taken up", { cause });
  }
}

function atMost({ config }: App): number {
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

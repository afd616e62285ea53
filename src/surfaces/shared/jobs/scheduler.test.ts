import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../contract/services/app.ts";
import type { ClaimedRun, RunResult } from "../../../contract/services/job-service.ts";
import type { Job } from "../../../contract/services/job.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import { runDue, runScheduler } from "./scheduler.ts";

/** Due jobs that are refused before they run, and the calls for the others. */
function scene(
  names: readonly string[],
  more: {
    readonly interrupted?: () => Promise<never>;
    readonly undelivered?: readonly object[];
    readonly gateway?: () => Promise<never>;
  } = {},
) {
  const waiting = names.map((name): ClaimedRun => {
    const job = { id: name, name, prompt: "p", schedule_display: "every 1m" } as Job;
    return {
      job,
      run: { id: 1, jobId: name, name, state: "running", dueAt: 0, startedAt: 0 },
      missed: false,
      refused: "it is refused here",
      sessionId: name,
      lost: new AbortController().signal,
      finish: async (result: RunResult) => void ended.push(`${name}: ${result.error}`),
    };
  });
  const ended: string[] = [];
  const log = quietLog();
  const work = {
    seat: async () => ({ lost: new AbortController().signal, [Symbol.asyncDispose]: async () => undefined }),
    nextAt: async () => undefined,
    claim: async (limit: number) => waiting.splice(0, limit),
    interrupted: more.interrupted ?? (async () => []),
    undelivered: async () => more.undelivered ?? [],
  };
  const app = {
    log,
    jobs: async () => ({ work }),
    gateway: more.gateway ?? (async () => undefined),
    config: {
      get: (path: string) => (path === "cron.max_parallel_jobs" ? 2 : undefined),
      refresh: async () => undefined,
    },
  } as unknown as App;
  return { app, ended, log };
}

test("runs all due jobs with limited parallelism, then ends", async () => {
  const { app, ended } = scene(["a", "b", "c"]);
  const message: string[] = [];
  assert.equal(
    await runDue(app, new AbortController().signal, {
      started: ({ name }) => void message.push(`${name} began`),
      ended: ({ name }) => void message.push(`${name} ended`),
    }),
    3,
  );
  assert.deepEqual(
    ended,
    ["a", "b", "c"].map((name) => `${name}: BLOCKED: Hermes does not run its prompt: it is refused here.`),
  );
  assert.deepEqual(message.slice(0, 2), ["a began", "b began"]);
});

test("runs due jobs even if a delivery or the recovery of interrupted runs fails", async () => {
  const broken = { undelivered: [{ id: 1 }], gateway: () => Promise.reject(new Error("a chat plugin is broken")) };
  const once = scene(["a"], broken);
  assert.equal(await runDue(once.app, new AbortController().signal), 1);
  assert.equal(once.ended.length, 1);

  const stop = new AbortController();
  const served = scene(["a", "b", "c"], {
    ...broken,
    interrupted: () => Promise.reject(new Error("a row is damaged")),
  });
  let left = 3;
  await runScheduler(served.app, stop.signal, { ended: () => void ((left -= 1) === 0 && stop.abort()) });
  assert.equal(served.ended.length, 3);
});

import type { JobService, JobWork } from "../../contract/services/job-service.ts";
import type { Job } from "../../contract/services/job.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { DatabaseFile } from "../store/facts/database-file.ts";
import { whoseSession } from "../store/facts/session-user.ts";
import { findJob } from "./find-job.ts";
import { defineJob, redefineJob, resumedJob } from "./job-definition.ts";
import { openOutputs } from "./job-output.ts";
import { isoOf, laneOf, type JobParts } from "./job-parts.ts";
import type { JobPorts } from "./job-ports.ts";
import { openJobStore, TICKER } from "./job-store.ts";
import { dropJob, newestRuns, putJob, readJob, readJobs } from "./job-table.ts";
import { createJobWork } from "./job-work.ts";

/** Scheduled jobs: the operations of the user and the model. A scheduler uses `work`. */
export function createJobService(ports: JobPorts): JobService {
  const parts: JobParts = { ports, store: openJobStore(ports), outputs: openOutputs(ports.home) };
  return serviceOf(undefined, { ...parts, work: createJobWork(parts) });
}

interface ServiceParts extends JobParts {
  readonly work: JobWork;
}

/** @param whose Whose jobs it knows and makes; absent: it knows all, and makes the owner's. */
function serviceOf(whose: string | undefined, parts: ServiceParts): JobService {
  const { ports, store, outputs } = parts;

  const list = async (): Promise<readonly Job[]> =>
    (await store.read(readJobs)).map(({ job }) => job).filter((job) => whose === undefined || job.whose === whose);

  /** @param change Gets the current job, which may have changed since the lookup. */
  async function changed(idOrName: string, change: (job: Job) => Job | Promise<Job>): Promise<Job> {
    const { id } = findJob(await list(), idOrName);
    for (;;) {
      const before = await store.read((file) => readJob(file, id));
      if (before === undefined) throw new UserError(`Another process has removed the job "${idOrName}".`);
      const after = await change(before);
      if (await store.write((file) => putIfSame(file, before, after))) return after;
    }
  }

  return {
    seenFrom: async (sessionId) => serviceOf(whose ?? (await whoseSession(await ports.store(), sessionId)), parts),
    list,
    find: async (idOrName) => findJob(await list(), idOrName),
    async create(request) {
      const origin = request.session === undefined ? undefined : await ports.chatOf(request.session);
      const job = await defineJob(request, await list(), { origin, whose }, ports);
      await store.write((file) => putJob(file, job));
      return job;
    },
    async change(idOrName, request) {
      const known = await list();
      return changed(idOrName, (job) => redefineJob(job, request, known, ports));
    },
    pause: (idOrName, reason) =>
      changed(idOrName, (job) => ({
        ...job,
        enabled: false,
        state: "paused",
        paused_at: isoOf(ports, ports.now()),
        paused_reason: reason ?? null,
        triggered_at: null,
      })),
    resume: (idOrName) => changed(idOrName, (job) => resumedJob(job, ports)),
    trigger: (idOrName) => changed(idOrName, (job) => ({ ...job, triggered_at: new Date(ports.now()).toISOString() })),
    async remove(idOrName) {
      const job = findJob(await list(), idOrName);
      await store.write((file) => {
        dropJob(file, job.id);
        file.statement("DELETE FROM cron_deliveries WHERE job_id = ?").run(job.id);
        // A process that runs it now finds at its next renewal that its lease is gone.
        file.statement("DELETE FROM leases WHERE lane = ?").run(laneOf(job.id));
      });
      outputs.remove(job.id);
      return job;
    },
    async runs({ job, limit = 20 } = {}) {
      const id =
        job === undefined ? undefined : ((await list()).find((one) => one.id === job || one.name === job)?.id ?? job);
      return store.read((file) => newestRuns(file, limit, id));
    },
    runner: async () => (await ports.store()).heldBy(TICKER),
    deferred: () => store.deferred(),
    work: parts.work,
  };
}

function putIfSame(file: DatabaseFile, before: Job, after: Job): boolean {
  if (JSON.stringify(readJob(file, before.id)) !== JSON.stringify(before)) return false;
  putJob(file, after);
  return true;
}

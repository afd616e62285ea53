import type { ClaimedRun, JobWork } from "../../contract/services/job-service.ts";
import { claimRun } from "./claim-run.ts";
import { closeInterrupted } from "./close-run.ts";
import { disableUnreadable, dueJobs, storeDueTime } from "./due-jobs.ts";
import { endDelivery, readDeliveries } from "./job-deliveries.ts";
import { leaseLane, type JobParts } from "./job-parts.ts";
import { runScript } from "./job-script.ts";
import { TICKER } from "./job-store.ts";

/** How a scheduler gets due jobs: each firing goes to one process, once, and is stored before it runs. */
export function createJobWork(parts: JobParts): JobWork {
  const { ports, store, outputs } = parts;
  return {
    seat: (who) => leaseLane(ports, TICKER, who),
    nextAt: async () => (await dueJobs(parts))[0]?.at,
    async claim(limit) {
      const claimed: ClaimedRun[] = [];
      const now = ports.now();
      for (const due of await dueJobs(parts)) {
        if (claimed.length >= limit) break;
        if (due.at <= now) {
          const run = await claimRun(due, now, parts).catch((cause: unknown) =>
            disableUnreadable(due.job, cause, parts),
          );
          if (run !== undefined) claimed.push(run);
        } else await storeDueTime(due, parts);
      }
      return claimed;
    },
    interrupted: () => closeInterrupted(parts),
    script: (job, signal) => runScript(ports, job.script ?? "", signal),
    lastOutput: async (jobId) => outputs.newest(jobId),
    undelivered: () => store.read(readDeliveries),
    delivered: (id, error) => store.write((file) => endDelivery(file, id, error)),
  };
}

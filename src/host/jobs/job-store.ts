import type { DatabaseFile } from "../store/facts/database-file.ts";
import { metaOf, setMeta } from "../store/facts/state-schema.ts";
import { jobsOfOriginal, originalAliveFor } from "./import-jobs.ts";
import type { JobPorts } from "./job-ports.ts";
import { JOB_TABLES, putJob, readJob, readJobs } from "./job-table.ts";

/** The lane of the process that automatically looks for due jobs. */
export const TICKER = "cron ticker";

/**
 * The rooms of the store that jobs live in. They are made when first needed, and what the original left is taken in.
 */
export interface JobStore {
  read<T>(work: (file: DatabaseFile) => T): Promise<T>;
  write<T>(work: (file: DatabaseFile) => T): Promise<T>;
  /** Why jobs of the original wait: its own scheduler runs. */
  deferred(): Promise<string | undefined>;
}

/** The original's scheduler says every minute that it runs. */
const ALIVE_MS = 180_000;
/** Of the ids that were taken over once, so that a job that was removed here does not come back. */
const TAKEN = "cron_imported";

export function openJobStore(ports: JobPorts): JobStore {
  let made: Promise<void> | undefined;
  let message: string | undefined;

  async function open(): Promise<void> {
    const store = await ports.store();
    made ??= store
      .transaction((file) => file.database.exec(JOB_TABLES))
      .catch((cause: unknown) => {
        made = undefined;
        throw cause;
      });
    await made;
    const found = jobsOfOriginal(ports.home);
    if (found === undefined) return;
    if (typeof found === "string") {
      if (message !== found) ports.log.warning((message = found));
      return;
    }
    const taken = (file: DatabaseFile): readonly string[] =>
      JSON.parse(metaOf(file, TAKEN) ?? "[]") as readonly string[];
    const known = new Set(await store.lookup(taken));
    if (found.every(({ id }) => known.has(id))) return;
    await store.transaction((file) => {
      const before = new Set(taken(file));
      for (const job of found) if (!before.has(job.id) && readJob(file, job.id) === undefined) putJob(file, job, true);
      setMeta(file, TAKEN, JSON.stringify([...before, ...found.map(({ id }) => id).filter((id) => !before.has(id))]));
    });
    ports.log.info(`Imported the jobs of the original from ${ports.home.file("cron", "jobs.json")}.`, {
      jobs: found.length,
    });
  }

  const read = async <T>(work: (file: DatabaseFile) => T): Promise<T> => {
    await open();
    return (await ports.store()).lookup(work);
  };
  return {
    read,
    async write(work) {
      await open();
      return (await ports.store()).transaction(work);
    },
    async deferred() {
      const quiet = originalAliveFor(ports.home, ports.now());
      if (quiet === undefined || quiet > ALIVE_MS || quiet < -ALIVE_MS) return undefined;
      const waiting = await read((file) => readJobs(file).filter(({ imported }) => imported).length);
      return waiting === 0
        ? undefined
        : `The original's gateway is running with its own schedule (${ports.home.file("cron", "jobs.json")}): ${waiting} imported job${waiting === 1 ? "" : "s"} wait${waiting === 1 ? "s" : ""} until you stop that gateway, so that no job runs twice.`;
    },
  };
}

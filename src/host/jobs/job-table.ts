import type { Job, JobRun } from "../../contract/services/job.ts";
import type { DatabaseFile } from "../store/facts/database-file.ts";

/**
 * Jobs, their firings and waiting deliveries, next to the facts in `state.db`. `body` is the record as JSON. A firing
 * is one row, unique by job and due time: the process that inserts it owns the run.
 */
export const JOB_TABLES = `
  CREATE TABLE IF NOT EXISTS cron_jobs (id TEXT PRIMARY KEY, body TEXT NOT NULL, imported INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS cron_runs (id INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT NOT NULL, due_at INTEGER NOT NULL, open INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (job_id, due_at)) STRICT;
  CREATE INDEX IF NOT EXISTS cron_runs_open ON cron_runs (id) WHERE open = 1;
  CREATE TABLE IF NOT EXISTS cron_deliveries (id INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT NOT NULL, target TEXT NOT NULL, body TEXT NOT NULL) STRICT;
`;

/** Number of ended firings to keep. */
const RETAINED_RUNS = 1000;

export interface StoredJob {
  readonly job: Job;
  /** Taken over from the original's file. */
  readonly imported: boolean;
}

export function readJobs(file: DatabaseFile): readonly StoredJob[] {
  const rows = file.statement("SELECT body, imported FROM cron_jobs").all();
  return rows
    .map((row) => ({ job: JSON.parse(String(row["body"])) as Job, imported: row["imported"] === 1 }))
    .sort((one, other) => (one.job.created_at < other.job.created_at ? -1 : 1));
}

export function readJob(file: DatabaseFile, id: string): Job | undefined {
  const row = file.statement("SELECT body FROM cron_jobs WHERE id = ?").get(id);
  return row === undefined ? undefined : (JSON.parse(String(row["body"])) as Job);
}

export function putJob(file: DatabaseFile, job: Job, imported = false): void {
  file
    .statement("INSERT INTO cron_jobs VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET body = ?2")
    .run(job.id, JSON.stringify(job), imported ? 1 : 0);
}

export function dropJob(file: DatabaseFile, id: string): void {
  file.statement("DELETE FROM cron_jobs WHERE id = ?").run(id);
}

type RunBody = Omit<JobRun, "id" | "jobId" | "dueAt">;

/** `undefined` when this firing was taken before. */
export function insertRun(file: DatabaseFile, jobId: string, dueAt: number, body: RunBody): JobRun | undefined {
  const row = file
    .statement(
      "INSERT INTO cron_runs (job_id, due_at, open, body) VALUES (?, ?, 1, ?) ON CONFLICT DO NOTHING RETURNING id",
    )
    .get(jobId, dueAt, JSON.stringify(body));
  return row === undefined ? undefined : { id: Number(row["id"]), jobId, dueAt, ...body };
}

/** Ends a firing. False when another process, which found its process gone, ended it before. */
export function closeRun(file: DatabaseFile, run: JobRun): boolean {
  const { id, jobId: _, dueAt: _due, ...body } = run;
  const { changes } = file
    .statement("UPDATE cron_runs SET open = 0, body = ? WHERE id = ? AND open = 1")
    .run(JSON.stringify(body), id);
  file
    .statement(
      "DELETE FROM cron_runs WHERE open = 0 AND id <= (SELECT id FROM cron_runs ORDER BY id DESC LIMIT 1 OFFSET ?)",
    )
    .run(RETAINED_RUNS);
  return Number(changes) === 1;
}

export function openRuns(file: DatabaseFile): readonly JobRun[] {
  return file.statement("SELECT * FROM cron_runs WHERE open = 1 ORDER BY id").all().map(toRun);
}

/** @param job An id, or the name of one that is over and known by its runs alone. */
export function newestRuns(file: DatabaseFile, limit: number, job?: string): readonly JobRun[] {
  const rows =
    job === undefined
      ? file.statement("SELECT * FROM cron_runs ORDER BY id DESC LIMIT ?").all(limit)
      : file
          .statement("SELECT * FROM cron_runs WHERE job_id = ?1 OR body ->> 'name' = ?1 ORDER BY id DESC LIMIT ?2")
          .all(job, limit);
  return rows.map(toRun);
}

function toRun(row: Record<string, unknown>): JobRun {
  return {
    id: Number(row["id"]),
    jobId: String(row["job_id"]),
    dueAt: Number(row["due_at"]),
    ...(JSON.parse(String(row["body"])) as RunBody),
  };
}

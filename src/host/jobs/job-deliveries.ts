import { randomUUID } from "node:crypto";
import type { Delivery } from "../../contract/services/job-service.ts";
import type { Job } from "../../contract/services/job.ts";
import type { DatabaseFile } from "../store/facts/database-file.ts";
import { putJob, readJob } from "./job-table.ts";

type Body = Pick<Delivery, "key" | "job" | "text">;

/**
 * One row for each place that the job names. `local` is the file that every run leaves. All have one key, so that two
 * names of one place are one message.
 */
export function addDeliveries(file: DatabaseFile, job: Job, text: string): void {
  const targets = new Set(
    job.deliver
      .split(",")
      .map((target) => target.trim())
      .filter((target) => target !== "" && target.toLowerCase() !== "local"),
  );
  const body: Body = { key: randomUUID(), job: { id: job.id, name: job.name, origin: job.origin }, text };
  for (const target of targets)
    file
      .statement("INSERT INTO cron_deliveries (job_id, target, body) VALUES (?, ?, ?)")
      .run(job.id, target, JSON.stringify(body));
}

export function readDeliveries(file: DatabaseFile): readonly Delivery[] {
  const rows = file.statement("SELECT id, target, body FROM cron_deliveries ORDER BY id").all();
  return rows.map((row) => ({
    id: Number(row["id"]),
    target: String(row["target"]),
    ...(JSON.parse(String(row["body"])) as Body),
  }));
}

export function endDelivery(file: DatabaseFile, id: number, error: string | undefined): void {
  const row = file.statement("DELETE FROM cron_deliveries WHERE id = ? RETURNING job_id").get(id);
  const job = row === undefined ? undefined : readJob(file, String(row["job_id"]));
  if (job !== undefined && job.last_delivery_error !== (error ?? null))
    putJob(file, { ...job, last_delivery_error: error ?? null });
}

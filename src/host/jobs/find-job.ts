import { UserError } from "../../contract/common/failure.ts";
import type { Job } from "../../contract/services/job.ts";
import { nearest } from "../../contract/common/nearest.ts";

/** By id, by name, by the start of an id. @throws {UserError} when there is none, and when a name is not one job's. */
export function findJob(jobs: readonly Job[], idOrName: string): Job {
  const wanted = idOrName.trim();
  const byId = jobs.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId;
  const named = jobs.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const found =
    named.length > 0 ? named : wanted.length < MIN_START ? [] : jobs.filter(({ id }) => id.startsWith(wanted));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new UserError(
      `"${wanted}" matches several jobs:\n${found.map(({ id, name, schedule_display }) => `  ${id}  ${name}  (${schedule_display})`).join("\n")}`,
      { hint: "Use the id.", exitCode: 2 },
    );
  const near = nearest(
    wanted,
    jobs.map(({ name }) => name),
  );
  throw new UserError(`There is no job "${wanted}".`, {
    hint:
      near === undefined
        ? "hermes cron list shows all jobs."
        : `Did you mean "${near}"? hermes cron list shows all jobs.`,
    exitCode: 2,
  });
}

const MIN_START = 3;

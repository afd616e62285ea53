import { UserError } from "../../../contract/common/failure.ts";
import type { App } from "../../../contract/services/app.ts";
import { repeatOf, stateOf, whoRuns } from "../../shared/jobs/job-text.ts";
import type { Job } from "../../../contract/services/job.ts";
import { route, textIn, type Route } from "../route.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

const VERBS = ["pause", "resume", "trigger"] as const;

/** Scheduled jobs. */
export const JOB_ROUTES: readonly Route[] = [
  route("GET /api/jobs", ({ app }) => jobsOf(app)),
  route("POST /api/jobs", async ({ app, body }) => {
    const request = definedFields({
      schedule: textIn(body, "schedule"),
      prompt: textIn(body, "prompt"),
      name: body["name"] === undefined ? undefined : textIn(body, "name"),
      deliver: body["deliver"] === undefined ? undefined : textIn(body, "deliver"),
    });
    return shown(await (await app.jobs()).create(request));
  }),
  route("POST /api/jobs/:id/:verb", async ({ app, params: [id = "", word] }) => {
    const verb = VERBS.find((one) => one === word);
    if (verb === undefined)
      throw new UserError(`Unknown job action "${word}".`, {
        hint: `Use one of: ${VERBS.join(", ")}.`,
      });
    return shown(await (await app.jobs())[verb](id));
  }),
  route("DELETE /api/jobs/:id", async ({ app, params: [id = ""] }) => void (await (await app.jobs()).remove(id))),
];

/** All jobs, their latest runs, and who runs them. */
export async function jobsOf(app: App): Promise<object> {
  const service = await app.jobs();
  const [jobs, runs, { text }] = await Promise.all([service.list(), service.runs({ limit: 20 }), whoRuns(app)]);
  return { jobs: jobs.map(shown), runs, runner: text };
}

function shown(job: Job): object {
  return { ...job, stateText: stateOf(job), repeatText: repeatOf(job) };
}

import { asTyped } from "../process/called-as.ts";
import { deliveryHint, jobText, runText, whoRuns } from "../jobs/job-text.ts";
import type { SlashHost } from "./slash-host.ts";

const USAGE =
  'Usage: /cron, /cron add "SCHEDULE" PROMPT or /cron pause|resume|run|remove|runs JOB. `hermes cron` can do more.';

/** `/cron`. */
export async function cron(args: string, host: SlashHost): Promise<string> {
  const { app } = host;
  const jobs = await app.jobs();
  const [, verb = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(args) ?? [];
  if (verb === "" || verb === "list") {
    const list = await jobs.list();
    return [
      list.length === 0
        ? 'No jobs. Create one with: /cron add "every day at 9am" what is new here?'
        : list.map((job) => jobText(app, job)).join(""),
      (await whoRuns(app)).text,
    ].join("\n");
  }
  if (verb === "add" || verb === "create") {
    const [, , schedule, prompt] = /^(["'])(.+?)\1\s+([^]+)$/.exec(rest) ?? [];
    if (schedule === undefined || prompt === undefined) return USAGE;
    const job = await jobs.create({ schedule, prompt });
    return `${jobText(app, job)}${await deliveryHint(app, job)}\n${(await whoRuns(app)).text}`;
  }
  const which = rest.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (which === "" && verb !== "runs") return USAGE;
  if (verb === "pause" || verb === "resume") return jobText(app, await jobs[verb](which));
  if (verb === "run") return `${jobText(app, await jobs.trigger(which))}${(await whoRuns(app)).text}`;
  if (verb === "remove" || verb === "rm")
    return asTyped(`"${(await jobs.remove(which)).name}" and its outputs are deleted.`);
  if (verb === "runs")
    return (
      (await jobs.runs(which === "" ? {} : { job: which })).map((run) => runText(app, run)).join("") || "No runs yet."
    );
  return USAGE;
}

import type { App } from "../../../contract/services/app.ts";
import type { Job, JobRun } from "../../../contract/services/job.ts";
import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import { asTyped } from "../process/called-as.ts";

/** Texts about jobs, for every surface. */

export function whenOf({ config }: App): (at: number | string | null | undefined) => string {
  const zone = config.get("timezone");
  const timeZone = typeof zone === "string" ? zone : "";
  return (at) => {
    const moment = typeof at === "string" ? Date.parse(at) : at;
    return moment === null || moment === undefined || Number.isNaN(moment)
      ? "—"
      : formatWallTime(wallTime(moment, timeZone), "%F %R");
  };
}

/** `active`, `paused`, `due now`, `failed`. */
export function stateOf(job: Job): string {
  if (job.triggered_at !== null) return "due now";
  if (job.enabled) return job.last_status === "error" ? "active, last run failed" : "active";
  return job.state === "scheduled" ? "off" : job.state === "error" ? "failed" : job.state;
}

/** `forever`, `once`, `2/5`. */
export function repeatOf({ repeat: { times, completed } }: Job): string {
  return times === null ? "forever" : times === 1 && completed === 0 ? "once" : `${completed}/${times}`;
}

/** The details of one job. */
export function jobText(app: App, job: Job): string {
  const when = whenOf(app);
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ["Schedule", job.schedule_display],
    ["Repeat", repeatOf(job)],
    ["Next run", job.enabled ? when(job.next_run_at) : undefined],
    ["Last run", job.last_run_at === null ? undefined : `${when(job.last_run_at)} ${job.last_status ?? ""}`],
    ["Error", job.last_error],
    ["Deliver", job.deliver],
    ["Not delivered", job.last_delivery_error],
    ["Prompt", job.prompt === "" ? undefined : firstLine(job.prompt)],
    ["Skills", job.skills.join(", ") || undefined],
    ["Script", job.script === null ? undefined : `${job.script}${job.no_agent ? " (without the agent)" : ""}`],
    ["Model", [job.provider, job.model].filter((each) => each !== null).join("/") || undefined],
    ["Folder", job.workdir],
  ];
  return `${job.id}  ${job.name}  [${stateOf(job)}]\n${rows.flatMap(([name, value]) => (value === null || value === undefined ? [] : [`  ${name.padEnd(13)} ${value.replaceAll("\n", " · ")}\n`])).join("")}`;
}

function firstLine(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return line.length > 100 || text.includes("\n") ? `${line.slice(0, 99)}…` : line;
}

export function runText(app: App, run: JobRun): string {
  const when = whenOf(app);
  const how = run.state === "completed" && run.silent ? "completed, nothing to report" : run.state;
  const late = run.caughtUp === undefined ? "" : `, also for ${run.caughtUp} missed`;
  return `${when(run.startedAt)}  ${run.jobId}  ${run.name}  ${how}${late}${run.error === undefined ? "" : `: ${run.error.split("\n")[0]}`}\n${run.output === undefined ? "" : `  ${run.output}\n`}`;
}

/** The process that runs due jobs, and which jobs wait. Warns if there is none. */
export async function whoRuns(app: App): Promise<{ readonly runner: string | undefined; readonly text: string }> {
  const jobs = await app.jobs();
  const [runner, deferred] = await Promise.all([jobs.runner(), jobs.deferred()]);
  const text =
    runner === undefined
      ? "No scheduler is running, so jobs will not start. Start one with `hermes gateway` or `hermes cron serve`; `hermes cron tick` runs due jobs once."
      : `Scheduler: ${runner}.`;
  return { runner, text: asTyped([text, ...(deferred === undefined ? [] : [deferred])].join("\n")) };
}

/** Explains where a new job delivers its answer, if that is not obvious or not possible yet. */
export async function deliveryHint(app: App, { deliver, id, origin }: Job): Promise<string> {
  if (deliver === "local")
    return asTyped(
      `Its answer goes to a file, which \`hermes cron runs ${id}\` lists. To send it to a chat, use --deliver.`,
    );
  const service = await app.gateway();
  const known = new Set(service.platforms().map(({ name }) => name));
  const targets = deliver
    .split(",")
    .map((target) => target.trim())
    .filter((target) => target !== "" && target.toLowerCase() !== "local");
  return targets
    .flatMap((target) => {
      const places = service.destinations(target, origin);
      if (places.length === 0) return [`Cannot deliver to "${target}" yet: no chat platform has a home channel.`];
      return places.flatMap(({ platform }) =>
        known.has(platform)
          ? []
          : [asTyped(`There is no chat platform "${platform}" yet. \`hermes gateway status\` lists the platforms.`)],
      );
    })
    .join("\n");
}

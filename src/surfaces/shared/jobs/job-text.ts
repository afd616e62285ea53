import type { App } from "../../../contract/services/app.ts";
import type { Job, JobRun } from "../../../contract/services/job.ts";
import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import { asTyped } from "../process/called-as.ts";

/** Jobs as people read them, on any surface. */

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

/** Everything a person wants to know of one job. */
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
  const how = run.state === "completed" && run.silent ? "completed, nothing to say" : run.state;
  const late = run.caughtUp === undefined ? "" : `, for ${run.caughtUp} missed too`;
  return `${when(run.startedAt)}  ${run.jobId}  ${run.name}  ${how}${late}${run.error === undefined ? "" : `: ${run.error.split("\n")[0]}`}\n${run.output === undefined ? "" : `  ${run.output}\n`}`;
}

/** What a person should know who expects jobs to run: whether anything does it, and what waits. */
export async function whoRuns(app: App): Promise<{ readonly runner: string | undefined; readonly text: string }> {
  const jobs = await app.jobs();
  const [runner, deferred] = await Promise.all([jobs.runner(), jobs.deferred()]);
  const text =
    runner === undefined
      ? "Nothing runs due jobs now: hermes gateway and hermes cron serve do until they are stopped, hermes cron tick once."
      : `Due jobs are run by ${runner}.`;
  return { runner, text: asTyped([text, ...(deferred === undefined ? [] : [deferred])].join("\n")) };
}

/** Where what a new job says goes to, when that is not plain, or is nowhere now. */
export async function deliveryHint(app: App, { deliver, id, origin }: Job): Promise<string> {
  if (deliver === "local")
    return asTyped(`What it says is kept in a file (hermes cron runs ${id} names it); --deliver sends it to a chat.`);
  const service = await app.gateway();
  const known = new Set(service.platforms().map(({ name }) => name));
  const targets = deliver
    .split(",")
    .map((target) => target.trim())
    .filter((target) => target !== "" && target.toLowerCase() !== "local");
  return targets
    .flatMap((target) => {
      const places = service.destinations(target, origin);
      if (places.length === 0) return [`"${target}" is nowhere now: no chat platform has a home channel.`];
      return places.flatMap(({ platform }) =>
        known.has(platform)
          ? []
          : [asTyped(`There is no chat platform "${platform}" now; hermes gateway status shows those there are.`)],
      );
    })
    .join("\n");
}

import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import type { Job, JobOrigin, JobRequest, Schedule } from "../../contract/services/job.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";
import { UserError } from "../../contract/common/failure.ts";
import { refusedPrompt } from "../../safety/commands/job-prompt.ts";
import { isFolder } from "../environment/make-folder.ts";
import { findJob } from "./find-job.ts";
import { isoOf } from "./job-parts.ts";
import { zoneOf, type JobPorts } from "./job-ports.ts";
import { scriptFile } from "./job-script.ts";
import { nextRun } from "./next-run.ts";
import { ONCE_GRACE_MS, parseSchedule } from "./parse-schedule.ts";

/**
 * A new job as requested.
 * @param known The jobs that the request can refer to.
 * @throws {UserError} for a job that could not run, while the user can still fix it.
 */
export async function defineJob(
  request: JobRequest,
  known: readonly Job[],
  { origin, whose }: { readonly origin: JobOrigin | undefined; readonly whose: string | undefined },
  ports: JobPorts,
): Promise<Job> {
  const now = ports.now();
  if (request.schedule === undefined)
    throw new UserError("A job needs a schedule.", {
      hint: 'hermes cron create "every 30m" "check the mail"',
      exitCode: 2,
    });
  const schedule = await parseSchedule(request.schedule, now, zoneOf(ports));
  const blank: Job = {
    id: randomBytes(6).toString("hex"),
    name: "",
    prompt: "",
    skills: [],
    model: null,
    provider: null,
    base_url: null,
    script: null,
    no_agent: false,
    context_from: null,
    schedule,
    schedule_display: schedule.display,
    repeat: { times: schedule.kind === "once" ? 1 : null, completed: 0 },
    enabled: true,
    state: "scheduled",
    paused_at: null,
    paused_reason: null,
    created_at: isoOf(ports, now),
    next_run_at: await firstTime(schedule, now, ports),
    last_run_at: null,
    last_status: null,
    last_error: null,
    last_delivery_error: null,
    deliver: origin === undefined ? "local" : "origin",
    origin: origin ?? null,
    whose,
    enabled_toolsets: null,
    workdir: null,
    triggered_at: null,
  };
  return checked(ports, named(withRequest(ports, blank, request, known)));
}

/**
 * The job with the requested changes.
 * @throws {UserError} as `defineJob`.
 */
export async function redefineJob(job: Job, request: JobRequest, known: readonly Job[], ports: JobPorts): Promise<Job> {
  const next = withRequest(ports, job, request, known);
  return checked(
    ports,
    named(request.schedule === undefined ? next : await rescheduled(next, request.schedule, ports)),
  );
}

/** @throws {UserError} if the time of a job that runs once has passed. */
export async function resumedJob(job: Job, ports: JobPorts): Promise<Job> {
  const { schedule } = job;
  if (schedule.kind === "once" && Date.parse(schedule.run_at) < ports.now() - ONCE_GRACE_MS)
    throw new UserError(`The scheduled time of "${job.name}" has passed (${schedule.display}).`, {
      hint: `hermes cron run ${job.id} runs it now; hermes cron edit ${job.id} --schedule … sets another time.`,
      exitCode: 2,
    });
  return {
    ...job,
    enabled: true,
    state: "scheduled",
    paused_at: null,
    paused_reason: null,
    next_run_at: await firstTime(schedule, ports.now(), ports),
  };
}

/** Another time for a job; a job that is not paused is enabled again. */
async function rescheduled(job: Job, text: string, ports: JobPorts): Promise<Job> {
  const now = ports.now();
  const schedule = await parseSchedule(text, now, zoneOf(ports));
  const kindChanged = (schedule.kind === "once") !== (job.schedule.kind === "once");
  const repeat = kindChanged
    ? { times: schedule.kind === "once" ? 1 : null, completed: 0 }
    : schedule.kind === "once"
      ? { ...job.repeat, completed: 0 }
      : job.repeat;
  return {
    ...job,
    schedule,
    schedule_display: schedule.display,
    repeat,
    next_run_at: await firstTime(schedule, now, ports),
    ...(job.state === "paused" ? {} : { enabled: true, state: "scheduled" as const }),
  };
}

/** When a job of this schedule runs first, as stored in `next_run_at`. */
async function firstTime(schedule: Schedule, now: number, ports: JobPorts): Promise<string | null> {
  const at = schedule.kind === "once" ? Date.parse(schedule.run_at) : await nextRun(schedule, now, zoneOf(ports));
  return at === undefined ? null : isoOf(ports, at);
}

function withRequest({ mask }: JobPorts, job: Job, request: JobRequest, known: readonly Job[]): Job {
  const {
    prompt,
    name,
    deliver,
    repeat,
    skills,
    model,
    provider,
    script,
    no_agent,
    context_from,
    enabled_toolsets,
    workdir,
  } = request;
  const orNull = <T extends { readonly length: number }>(value: T): T | null => (value.length === 0 ? null : value);
  return {
    ...job,
    ...definedFields({
      prompt: prompt === undefined ? undefined : mask(prompt.trim()),
      name: name === undefined ? undefined : mask(name.trim()),
      deliver: deliver === undefined ? undefined : deliver.trim() === "" ? "local" : deliver.trim(),
      repeat:
        repeat === undefined
          ? undefined
          : { ...job.repeat, times: repeat > 0 ? Math.floor(repeat) : job.schedule.kind === "once" ? 1 : null },
      skills:
        skills === undefined ? undefined : [...new Set(skills.map((one) => one.trim()).filter((one) => one !== ""))],
      model,
      provider,
      script: script === undefined ? undefined : orNull(script.trim()),
      no_agent,
      context_from: context_from === undefined ? undefined : orNull(context_from.map((one) => findJob(known, one).id)),
      enabled_toolsets: enabled_toolsets === undefined ? undefined : orNull(enabled_toolsets),
      workdir: workdir === undefined ? undefined : orNull(workdir.trim()),
    }),
  };
}

function named(job: Job): Job {
  return job.name === ""
    ? { ...job, name: (job.prompt.split("\n")[0] ?? "").slice(0, 50).trim() || (job.skills[0] ?? job.script ?? job.id) }
    : job;
}

/** @throws {UserError} for a job that could not run, while the user can still fix it. */
function checked({ home }: JobPorts, job: Job): Job {
  if (job.no_agent && job.script === null)
    throw new UserError("A job without the agent needs a script.", {
      hint: "--script NAME, a file in ~/.hermes/scripts.",
      exitCode: 2,
    });
  if (!job.no_agent && job.prompt === "" && job.skills.length === 0)
    throw new UserError("A job needs a prompt or a skill.", {
      hint: 'hermes cron create "every 30m" "check the mail"',
      exitCode: 2,
    });
  const refused = refusedPrompt(job.prompt);
  if (refused !== undefined)
    throw new UserError(`The job's prompt was refused: ${refused}.`, {
      hint: "Jobs run unattended. Describe the work in plain text.",
      exitCode: 2,
    });
  if (job.script !== null) scriptFile(home, job.script);
  if (job.workdir !== null && !(isAbsolute(job.workdir) && isFolder(job.workdir)))
    throw new UserError(
      `The job's working folder must be the absolute path of an existing folder, not "${job.workdir}".`,
      {
        exitCode: 2,
      },
    );
  return job;
}

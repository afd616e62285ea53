import { randomBytes } from "node:crypto";
import { isAbsolute } from "node:path";
import type { JobService, JobWork } from "../../contract/services/job-service.ts";
import type { Job, JobRequest } from "../../contract/services/job.ts";
import { UserError } from "../../contract/common/failure.ts";
import { refusedPrompt } from "../../safety/commands/job-prompt.ts";
import { isFolder } from "../environment/make-folder.ts";
import type { DatabaseFile } from "../store/facts/database-file.ts";
import { whoseSession } from "../store/facts/session-user.ts";
import { zoneOf, type JobPorts } from "./job-ports.ts";
import { openOutputs, type Outputs } from "./job-output.ts";
import { findJob } from "./find-job.ts";
import { scriptFile } from "./job-script.ts";
import { openJobStore, TICKER, type JobStore } from "./job-store.ts";
import { dropJob, newestRuns, putJob, readJob, readJobs } from "./job-table.ts";
import { createJobWork, laneOf } from "./job-work.ts";
import { nextRun } from "./next-run.ts";
import { ONCE_GRACE_MS, parseSchedule } from "./parse-schedule.ts";
import { toIso } from "./zoned-time.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** Scheduled jobs: the operations of the user and the model. A scheduler uses `work`. */
export function createJobService(ports: JobPorts): JobService {
  const store = openJobStore(ports);
  const outputs = openOutputs(ports.home);
  return serviceOf(undefined, { ports, store, outputs, work: createJobWork(ports, store, outputs) });
}

interface ServiceParts {
  readonly ports: JobPorts;
  readonly store: JobStore;
  readonly outputs: Outputs;
  readonly work: JobWork;
}

/** @param whose Whose jobs it knows and makes; absent: it knows all, and makes the owner's. */
function serviceOf(whose: string | undefined, parts: ServiceParts): JobService {
  const { ports, store, outputs } = parts;
  const iso = (at: number): string => toIso(at, zoneOf(ports));

  const list = async (): Promise<readonly Job[]> =>
    (await store.read(readJobs)).map(({ job }) => job).filter((job) => whose === undefined || job.whose === whose);

  /** @param change Gets the current job, which may have changed since the lookup. */
  async function changed(idOrName: string, change: (job: Job) => Job | Promise<Job>): Promise<Job> {
    const { id } = findJob(await list(), idOrName);
    for (;;) {
      const before = await store.read((file) => readJob(file, id));
      if (before === undefined) throw new UserError(`Another process has removed the job "${idOrName}".`);
      const after = await change(before);
      if (await store.write((file) => putIfSame(file, before, after))) return after;
    }
  }

  return {
    seenFrom: async (sessionId) => serviceOf(whose ?? (await whoseSession(await ports.store(), sessionId)), parts),
    list,
    find: async (idOrName) => findJob(await list(), idOrName),
    async create(request) {
      const now = ports.now();
      if (request.schedule === undefined)
        throw new UserError("A job needs a schedule.", {
          hint: 'hermes cron create "every 30m" "check the mail"',
          exitCode: 2,
        });
      const schedule = await parseSchedule(request.schedule, now, zoneOf(ports));
      const next = schedule.kind === "once" ? Date.parse(schedule.run_at) : await nextRun(schedule, now, zoneOf(ports));
      const known = await list();
      const origin = request.session === undefined ? undefined : await ports.chatOf(request.session);
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
        created_at: iso(now),
        next_run_at: next === undefined ? null : iso(next),
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
      const job = checked(ports, named(withRequest(ports, blank, request, known)));
      await store.write((file) => putJob(file, job));
      return job;
    },
    async change(idOrName, request) {
      const known = await list();
      return changed(idOrName, async (job) => {
        const next = withRequest(ports, job, request, known);
        return checked(ports, named(request.schedule === undefined ? next : await rescheduled(next, request.schedule)));
      });
    },
    pause: (idOrName, reason) =>
      changed(idOrName, (job) => ({
        ...job,
        enabled: false,
        state: "paused",
        paused_at: iso(ports.now()),
        paused_reason: reason ?? null,
        triggered_at: null,
      })),
    resume: (idOrName) =>
      changed(idOrName, async (job) => {
        const { schedule } = job;
        if (schedule.kind === "once" && Date.parse(schedule.run_at) < ports.now() - ONCE_GRACE_MS)
          throw new UserError(`The scheduled time of "${job.name}" has passed (${schedule.display}).`, {
            hint: `hermes cron run ${job.id} runs it now; hermes cron edit ${job.id} --schedule … sets another time.`,
            exitCode: 2,
          });
        const next =
          schedule.kind === "once" ? Date.parse(schedule.run_at) : await nextRun(schedule, ports.now(), zoneOf(ports));
        return {
          ...job,
          enabled: true,
          state: "scheduled",
          paused_at: null,
          paused_reason: null,
          next_run_at: next === undefined ? null : iso(next),
        };
      }),
    trigger: (idOrName) => changed(idOrName, (job) => ({ ...job, triggered_at: new Date(ports.now()).toISOString() })),
    async remove(idOrName) {
      const job = findJob(await list(), idOrName);
      await store.write((file) => {
        dropJob(file, job.id);
        file.statement("DELETE FROM cron_deliveries WHERE job_id = ?").run(job.id);
        // A process that runs it now finds at its next renewal that its lease is gone.
        file.statement("DELETE FROM leases WHERE lane = ?").run(laneOf(job.id));
      });
      outputs.remove(job.id);
      return job;
    },
    async runs({ job, limit = 20 } = {}) {
      const id =
        job === undefined ? undefined : ((await list()).find((one) => one.id === job || one.name === job)?.id ?? job);
      return store.read((file) => newestRuns(file, limit, id));
    },
    runner: async () => (await ports.store()).heldBy(TICKER),
    deferred: () => store.deferred(),
    work: parts.work,
  };

  /** Another time for a job; one that is not paused is on again. */
  async function rescheduled(job: Job, text: string): Promise<Job> {
    const now = ports.now();
    const schedule = await parseSchedule(text, now, zoneOf(ports));
    const next = schedule.kind === "once" ? Date.parse(schedule.run_at) : await nextRun(schedule, now, zoneOf(ports));
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
      next_run_at: next === undefined ? null : iso(next),
      ...(job.state === "paused" ? {} : { enabled: true, state: "scheduled" as const }),
    };
  }
}

function putIfSame(file: DatabaseFile, before: Job, after: Job): boolean {
  if (JSON.stringify(readJob(file, before.id)) !== JSON.stringify(before)) return false;
  putJob(file, after);
  return true;
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
    throw new UserError(`"${job.workdir}" is not the absolute path of a folder.`, { exitCode: 2 });
  return job;
}

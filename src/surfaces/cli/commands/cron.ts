import { UserError } from "../../../contract/common/failure.ts";
import type { Job, JobRequest } from "../../../contract/services/job.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { deliveryHint, jobText, repeatOf, runText, stateOf, whenOf, whoRuns } from "../../shared/jobs/job-text.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { onInterrupt } from "../../shared/process/on-interrupt.ts";
import { printable } from "../../shared/display/printable.ts";
import { tableOn } from "../../shared/display/table.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** `hermes cron`: scheduled jobs. */
export async function listJobs(
  { io, open }: Call,
  { json, all }: { readonly json?: boolean; readonly all?: boolean },
): Promise<void> {
  const app = await open();
  const jobs = await (await app.jobs()).list();
  // Show jobs that are off because they failed.
  const shown = all ? jobs : jobs.filter((job) => job.enabled || job.state === "error" || job.triggered_at !== null);
  if (json) return io.out(`${JSON.stringify(shown, null, 2)}\n`);
  if (jobs.length === 0)
    return io.note(
      asTyped('No jobs. Create one with: hermes cron create "every day at 9am" "tell me what is new in this folder"\n'),
    );
  const when = whenOf(app);
  const rows = shown.map((job) => [
    job.id,
    job.schedule_display,
    job.enabled ? when(job.next_run_at) : "—",
    stateOf(job),
    repeatOf(job),
    job.deliver,
    printable(job.name),
  ]);
  if (rows.length > 0) io.out(tableOn(io, ["ID", "SCHEDULE", "NEXT", "STATE", "REPEAT", "DELIVER", "NAME"], rows));
  if (shown.length < jobs.length)
    io.note(
      asTyped(
        `${counted(jobs.length - shown.length, "job is", "jobs are")} paused or finished: hermes cron list --all\n`,
      ),
    );
  const { runner, text } = await whoRuns(app);
  if (runner === undefined || text.includes("\n")) io.note(`${io.style("yellow", text)}\n`);
}

/** Options of `create` and `edit`. */
export interface JobOptions {
  readonly schedule?: string;
  readonly prompt?: string;
  readonly name?: string;
  readonly deliver?: string;
  readonly repeat?: string;
  readonly skill?: readonly string[];
  readonly addSkill?: readonly string[];
  readonly removeSkill?: readonly string[];
  readonly clearSkills?: boolean;
  readonly script?: string;
  /** `false`: `--no-agent`. */
  readonly agent?: boolean;
  readonly workdir?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly contextFrom?: readonly string[];
  readonly toolsets?: string;
  readonly json?: boolean;
}

function requestOf(options: JobOptions): JobRequest {
  const { schedule, prompt, name, deliver, script, workdir, model, provider } = options;
  return definedFields({
    schedule,
    prompt,
    name,
    deliver,
    repeat: options.repeat === undefined ? undefined : numberOf("--repeat", options.repeat),
    skills: options.skill,
    script,
    no_agent: options.agent === undefined ? undefined : !options.agent,
    workdir,
    model: model === undefined ? undefined : model === "" ? null : model,
    provider: provider === undefined ? undefined : provider === "" ? null : provider,
    context_from: options.contextFrom?.filter((one) => one !== ""),
    enabled_toolsets:
      options.toolsets === undefined
        ? undefined
        : options.toolsets
            .split(",")
            .map((one) => one.trim())
            .filter((one) => one !== ""),
  });
}

export async function createJob(
  { io, open }: Call,
  schedule: string,
  prompt: readonly string[],
  options: JobOptions,
): Promise<void> {
  const app = await open();
  const job = await (await app.jobs()).create({ ...requestOf(options), schedule, prompt: prompt.join(" ") });
  if (options.json) return io.out(`${JSON.stringify(job, null, 2)}\n`);
  io.out(printable(jobText(app, job)));
  const { text } = await whoRuns(app);
  io.note(`${[printable(await deliveryHint(app, job)), text].filter((line) => line !== "").join("\n")}\n`);
}

export async function editJob({ io, open }: Call, which: string, options: JobOptions): Promise<void> {
  const app = await open();
  const jobs = await app.jobs();
  const { addSkill = [], removeSkill = [], clearSkills } = options;
  const saved = clearSkills ? [] : (options.skill ?? (await jobs.find(which)).skills);
  const skills =
    clearSkills || options.skill !== undefined || addSkill.length + removeSkill.length > 0
      ? [...saved.filter((name) => !removeSkill.includes(name)), ...addSkill]
      : undefined;
  const { skills: _, ...rest } = requestOf(options);
  const request: JobRequest = { ...rest, ...definedFields({ skills }) };
  if (Object.keys(request).length === 0)
    throw new UserError("No change was given.", {
      hint: "`hermes cron edit --help` lists the options.",
      exitCode: EXIT.usage,
    });
  const job = await jobs.change(which, request);
  if (options.json) return io.out(`${JSON.stringify(job, null, 2)}\n`);
  io.out(printable(jobText(app, job)));
  const hint = options.deliver === undefined ? "" : await deliveryHint(app, job);
  if (hint !== "") io.note(`${printable(hint)}\n`);
}

const DONE = {
  pause: (job: Job) => `"${job.name}" is paused. Resume it with: hermes cron resume ${job.id}`,
  resume: (job: Job) => `"${job.name}" is resumed.`,
  trigger: (job: Job) => `"${job.name}" is due now.`,
  remove: (job: Job) => `"${job.name}" and its outputs are deleted.`,
} as const;

export async function changeJob(
  { io, open }: Call,
  verb: keyof typeof DONE,
  which: string,
  { json }: { readonly json?: boolean },
): Promise<void> {
  const app = await open();
  const job = await (await app.jobs())[verb](which);
  if (json) return io.out(`${JSON.stringify(job, null, 2)}\n`);
  io.out(`${printable(asTyped(DONE[verb](job)))}\n`);
  if (verb === "trigger") io.note(`${(await whoRuns(app)).text}\n`);
}

export async function listRuns(
  { io, open }: Call,
  which: string | undefined,
  options: { readonly limit: string; readonly json?: boolean },
): Promise<void> {
  const app = await open();
  const service = await app.jobs();
  // A finished or removed job is known only by its runs.
  const job =
    which === undefined
      ? undefined
      : await service.find(which).then(
          ({ id }) => id,
          () => which,
        );
  const runs = await service.runs({ limit: numberOf("--limit", options.limit), job });
  if (which !== undefined && runs.length === 0) await service.find(which);
  if (options.json) return io.out(`${JSON.stringify(runs, null, 2)}\n`);
  if (runs.length === 0)
    return io.note(which === undefined ? "No job has run yet.\n" : `"${which}" has not run yet.\n`);
  for (const run of runs) io.out(printable(runText(app, run)));
}

export async function cronStatus({ io, open }: Call, { json }: { readonly json?: boolean }): Promise<void> {
  const app = await open();
  const jobs = await app.jobs();
  const [list, running, waiting, { runner, text }] = [
    await jobs.list(),
    (await jobs.runs({ limit: 100 })).filter(({ state }) => state === "running"),
    await jobs.work.undelivered(),
    await whoRuns(app),
  ];
  const active = list.filter(({ enabled }) => enabled);
  const next = active
    .flatMap(({ next_run_at }) => next_run_at ?? [])
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))[0];
  if (json)
    return io.out(
      `${JSON.stringify({ runner: runner ?? null, held_back: (await jobs.deferred()) ?? null, jobs: list.length, active: active.length, next_run_at: next ?? null, running: running.map(({ jobId }) => jobId), undelivered: waiting.length }, null, 2)}\n`,
    );
  io.out(
    `${text}\n${active.length} active of ${counted(list.length, "job", "jobs")}${next === undefined ? "" : `; the next is due at ${whenOf(app)(next)}`}.\n`,
  );
  for (const run of running)
    io.out(printable(`running: ${run.name} (${run.jobId}) since ${whenOf(app)(run.startedAt)}\n`));
  if (waiting.length > 0)
    io.out(`${counted(waiting.length, "message is", "messages are")} waiting for the gateway to send to chats.\n`);
}

/** Runs the jobs that are due. Fails if a job failed. */
export async function tick({ io, open }: Call, { quiet }: { readonly quiet?: boolean }): Promise<number> {
  const app = await open();
  const [{ runDue }, { lineOf }] = await Promise.all([
    import("../../shared/jobs/scheduler.ts"),
    import("../../shared/jobs/run-job.ts"),
  ]);
  const stop = new AbortController();
  using interrupts = onInterrupt(io, async () => stop.abort());
  let failures = 0;
  const ran = await runDue(app, AbortSignal.any([stop.signal, io.signal]), {
    started: (job) => void (quiet || io.note(printable(`… ${job.name} (${job.id})\n`))),
    ended: (job, result) => {
      failures += result.ok ? 0 : 1;
      if (!quiet || !result.ok) io.out(`${printable(lineOf(job, result))}\n`);
    },
    interrupted: (job) => io.out(printable(interruptedLine(job))),
  });
  if (ran === 0 && !quiet) io.note("No job is due.\n");
  const held = await (await app.jobs()).deferred();
  if (held !== undefined) io.note(`${held}\n`);
  return interrupts.count > 0 ? EXIT.interrupted : failures > 0 ? EXIT.failed : EXIT.ok;
}

/** Runs due jobs until it is stopped. */
export async function serveJobs({ io, open }: Call): Promise<number> {
  const app = await open();
  const [{ runScheduler }, { lineOf }] = await Promise.all([
    import("../../shared/jobs/scheduler.ts"),
    import("../../shared/jobs/run-job.ts"),
  ]);
  const stop = new AbortController();
  using _ = onInterrupt(io, async () => stop.abort());
  await runScheduler(app, AbortSignal.any([stop.signal, io.signal]), {
    waiting: (forWhom) =>
      io.note(
        forWhom === undefined
          ? "Running due jobs here; stop with Ctrl-C.\n"
          : `Another process runs due jobs: ${forWhom}. Waiting for it to stop.\n`,
      ),
    started: (job) => io.note(printable(`… ${job.name} (${job.id})\n`)),
    ended: (job, result) => io.out(`${printable(lineOf(job, result))}\n`),
    interrupted: (job) => io.out(printable(interruptedLine(job))),
  });
  return EXIT.ok;
}

function interruptedLine(job: Job): string {
  return `✗ ${job.name} (${job.id}) was interrupted because its process ended. Hermes does not repeat it; run it with: ${asTyped(`hermes cron run ${job.id}`)}\n`;
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

function numberOf(option: string, text: string): number {
  if (!/^-?\d{1,9}$/.test(text.trim()))
    throw new UserError(`${option} must be a whole number, not "${text}".`, { exitCode: EXIT.usage });
  return Number(text);
}

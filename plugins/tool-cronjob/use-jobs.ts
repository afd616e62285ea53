import { ToolFailure, UserError, type Job, type JobWish, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import { jobView } from "./job-view.ts";

export interface CronjobInput {
  readonly action: string;
  readonly job_id?: string;
  readonly prompt?: string;
  readonly schedule?: string;
  readonly name?: string;
  readonly repeat?: number;
  readonly deliver?: string;
  readonly skills?: readonly string[] | string;
  readonly skill?: string;
  readonly script?: string;
  readonly no_agent?: boolean;
  readonly context_from?: readonly string[] | string;
  readonly enabled_toolsets?: readonly string[];
  readonly workdir?: string;
  readonly model?: { readonly model?: string; readonly provider?: string } | string;
  readonly provider?: string;
  readonly reason?: string;
  /** Default: true. */
  readonly include_disabled?: boolean;
}

type Jobs = Awaited<ReturnType<PluginContext["jobs"]>>;

/** One action on the scheduled jobs; the result has the original's keys. */
export async function useJobs(input: CronjobInput, jobs: Jobs, { sessionId }: { readonly sessionId: string }): Promise<JsonObject> {
  if (sessionId.startsWith(SCHEDULED)) throw failure("blocked", "A scheduled run makes and changes no schedules.", "Say in your answer what should be scheduled.");
  try {
    return await act(input, await jobs.seenFrom(sessionId), sessionId);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw failure("bad_arguments", cause.message, cause.hint, cause);
  }
}

/** How ids of scheduled runs begin. */
const SCHEDULED = "cron_";

async function act(input: CronjobInput, jobs: Jobs, sessionId: string): Promise<JsonObject> {
  const action = input.action.trim().toLowerCase();
  if (action === "create") return created(await jobs.create({ ...wishOf(input, "create"), session: sessionId }), jobs);
  if (action === "list") {
    const list = (await jobs.list()).filter((job) => input.include_disabled !== false || job.enabled);
    return { success: true, count: list.length, jobs: list.map(jobView) };
  }
  if (!ACTIONS.has(action)) throw failure("bad_arguments", `There is no action "${input.action}".`, `There is: create, list, ${[...ACTIONS].slice(0, 5).join(", ")}.`);
  const id = input.job_id;
  if (id === undefined || id.trim() === "") throw failure("bad_arguments", `job_id is required for action '${action}'`, "action='list' shows the jobs.");
  switch (action) {
    case "update": {
      const wish = wishOf(input, "update");
      if (Object.keys(wish).length === 0) throw failure("bad_arguments", "No updates provided.", "Give what is to change: schedule, prompt, name …");
      return { success: true, job: jobView(await jobs.change(id, wish)) };
    }
    case "pause":
      return { success: true, job: jobView(await jobs.pause(id, input.reason)) };
    case "resume":
      return { success: true, job: jobView(await jobs.resume(id)) };
    case "remove": {
      const { id: gone, name, schedule_display } = await jobs.remove(id);
      return { success: true, message: `The job "${name}" is removed.`, removed_job: { id: gone, name, schedule: schedule_display } };
    }
    default: {
      const job = await jobs.trigger(id);
      return { success: true, job: { ...jobView(job), executed: false }, message: `It is due now. ${await whoRuns(jobs)}` };
    }
  }
}

const ACTIONS: ReadonlySet<string> = new Set(["update", "pause", "resume", "remove", "run", "run_now", "trigger"]);

async function created(job: Job, jobs: Jobs): Promise<JsonObject> {
  const view = jobView(job);
  const where = job.deliver === "local" ? " What it says is kept in a file and sent to nobody; deliver names a chat." : "";
  return {
    success: true,
    job_id: job.id,
    name: job.name,
    skill: view.skill!,
    skills: view.skills!,
    schedule: job.schedule_display,
    repeat: view.repeat!,
    deliver: job.deliver,
    next_run_at: job.next_run_at,
    job: view,
    message: `The job "${job.name}" is made.${where} ${await whoRuns(jobs)}`,
  };
}

/** A person who hears that a job is made takes it that it will run. */
async function whoRuns(jobs: Jobs): Promise<string> {
  return (await jobs.runner()) === undefined ? "Nothing runs due jobs on this machine now: the person starts `hermes cron serve` or the gateway, or runs `hermes cron tick`. Tell them." : "It runs by itself when it is due.";
}

function wishOf(input: CronjobInput, action: "create" | "update"): JobWish {
  const { prompt, schedule, name, repeat, deliver, script, no_agent, enabled_toolsets, workdir } = input;
  const skills = input.skills ?? (input.skill === undefined ? undefined : [input.skill]);
  const model = typeof input.model === "string" ? { model: input.model } : (input.model ?? {});
  const provider = input.provider ?? model.provider;
  return {
    ...(prompt === undefined ? {} : { prompt }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(name === undefined ? {} : { name }),
    ...(repeat === undefined || repeat === null ? {} : { repeat }),
    ...(deliver === undefined || (action === "create" && deliver === "origin") ? {} : { deliver }),
    ...(skills === undefined ? {} : { skills: listOf(skills) }),
    ...(script === undefined ? {} : { script }),
    ...(no_agent === undefined || (action === "create" && !no_agent) ? {} : { no_agent }),
    ...(input.context_from === undefined ? {} : { context_from: listOf(input.context_from) }),
    ...(enabled_toolsets === undefined ? {} : { enabled_toolsets: listOf(enabled_toolsets) }),
    ...(workdir === undefined ? {} : { workdir }),
    ...(model.model === undefined ? {} : { model: model.model === "" ? null : model.model }),
    ...(provider === undefined ? {} : { provider: provider === "" ? null : provider }),
  };
}

function listOf(given: readonly string[] | string): readonly string[] {
  return (typeof given === "string" ? [given] : given).filter((one) => one !== "");
}

function failure(code: "blocked" | "bad_arguments", message: string, hint: string | undefined, cause?: unknown): ToolFailure {
  return new ToolFailure(code, message, { data: { success: false }, ...(hint === undefined ? {} : { hint }), ...(cause === undefined ? {} : { cause }) });
}

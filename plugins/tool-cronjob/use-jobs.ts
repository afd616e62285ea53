import {
  definedFields,
  ToolFailure,
  UserError,
  type Job,
  type JobRequest,
  type JsonObject,
  type PluginContext,
} from "hermes-agent/plugin";
import { jobView } from "./job-view.ts";

export interface CronjobInput {
  readonly action: string;
  readonly job_id?: string;
  readonly prompt?: string;
  readonly schedule?: string;
  readonly name?: string;
  readonly repeat?: number;
  readonly deliver?: string;
  readonly skills?: readonly string[];
  readonly skill?: unknown;
  readonly script?: string;
  readonly no_agent?: boolean;
  readonly context_from?: readonly string[];
  readonly enabled_toolsets?: readonly string[];
  readonly workdir?: string;
  readonly model?: { readonly model: string; readonly provider?: string };
  readonly provider?: unknown;
  readonly reason?: unknown;
  /** Default: true. */
  readonly include_disabled?: unknown;
}

type Jobs = Awaited<ReturnType<PluginContext["jobs"]>>;

/** Runs one action on the scheduled jobs. The result has the original's keys. */
export async function useJobs(
  input: CronjobInput,
  jobs: Jobs,
  { sessionId }: { readonly sessionId: string },
): Promise<JsonObject> {
  if (sessionId.startsWith(SCHEDULED))
    throw failure(
      "blocked",
      "A scheduled run cannot create or change scheduled jobs.",
      "State in your answer what should be scheduled.",
    );
  const seen = await jobs.seenFrom(sessionId);
  try {
    return await act(input, seen, sessionId);
  } catch (cause) {
    if (!(cause instanceof UserError)) throw cause;
    throw failure("bad_arguments", cause.message, cause.hint, cause, await matchesOf(input.job_id, seen));
  }
}

/** The jobs that share one name. */
async function matchesOf(name: string | undefined, jobs: Jobs): Promise<JsonObject> {
  const wanted = name?.trim().toLowerCase();
  const named =
    wanted === undefined || wanted === "" ? [] : (await jobs.list()).filter((job) => job.name.toLowerCase() === wanted);
  return named.length < 2
    ? {}
    : {
        matches: named.map(({ id, name: called, schedule_display, next_run_at }) => ({
          id,
          name: called,
          schedule: schedule_display,
          next_run_at,
        })),
      };
}

/** Prefix of the session IDs of scheduled runs. */
const SCHEDULED = "cron_";

async function act(input: CronjobInput, jobs: Jobs, sessionId: string): Promise<JsonObject> {
  const action = input.action.trim().toLowerCase();
  if (action === "create")
    return created(await jobs.create({ ...requestOf(input, "create"), session: sessionId }), jobs);
  if (action === "list") {
    const list = (await jobs.list()).filter((job) => input.include_disabled !== false || job.enabled);
    return { success: true, count: list.length, jobs: list.map(jobView) };
  }
  if (!ACTIONS.has(action))
    throw failure(
      "bad_arguments",
      `Unknown action "${input.action}".`,
      `Actions: create, list, ${[...ACTIONS].slice(0, 5).join(", ")}.`,
    );
  const id = input.job_id;
  if (id === undefined || id.trim() === "")
    throw failure("bad_arguments", `job_id is required for action '${action}'`, "Use action='list' to list the jobs.");
  switch (action) {
    case "update": {
      const request = requestOf(input, "update");
      if (Object.keys(request).length === 0)
        throw failure("bad_arguments", "No updates provided.", "Pass the fields to change: schedule, prompt, name …");
      return { success: true, job: jobView(await jobs.change(id, request)) };
    }
    case "pause":
      return { success: true, job: jobView(await jobs.pause(id, wordsOf(input.reason))) };
    case "resume":
      return { success: true, job: jobView(await jobs.resume(id)) };
    case "remove": {
      const { id: gone, name, schedule_display } = await jobs.remove(id);
      return {
        success: true,
        message: `Deleted the job "${name}".`,
        removed_job: { id: gone, name, schedule: schedule_display },
      };
    }
    default: {
      const job = await jobs.trigger(id);
      return {
        success: true,
        job: { ...jobView(job), executed: false },
        message: `The job is due now. ${await whoRuns(jobs)}`,
      };
    }
  }
}

const ACTIONS: ReadonlySet<string> = new Set(["update", "pause", "resume", "remove", "run", "run_now", "trigger"]);

async function created(job: Job, jobs: Jobs): Promise<JsonObject> {
  const view = jobView(job);
  const where =
    job.deliver === "local" ? " Its output is saved to a file and not sent; set deliver to send it to a chat." : "";
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
    message: `Created the job "${job.name}".${where} ${await whoRuns(jobs)}`,
  };
}

/** Users expect a created job to run, so say when no scheduler is running. */
async function whoRuns(jobs: Jobs): Promise<string> {
  return (await jobs.runner()) === undefined
    ? "No scheduler is running, so jobs will not start. Tell the user to start `hermes cron serve` or the gateway, or to run `hermes cron tick`."
    : "The scheduler runs it when it is due.";
}

function requestOf(input: CronjobInput, action: "create" | "update"): JobRequest {
  const { prompt, schedule, name, repeat, deliver, script, no_agent, enabled_toolsets, workdir } = input;
  const skill = wordsOf(input.skill);
  const skills = input.skills ?? (skill === undefined ? undefined : [skill]);
  const provider = wordsOf(input.provider) ?? input.model?.provider;
  return definedFields({
    prompt,
    schedule,
    name,
    repeat,
    deliver: deliver === undefined || (action === "create" && deliver === "origin") ? undefined : deliver,
    skills: skills === undefined ? undefined : filled(skills),
    script,
    no_agent: no_agent === undefined || (action === "create" && !no_agent) ? undefined : no_agent,
    context_from: input.context_from === undefined ? undefined : filled(input.context_from),
    enabled_toolsets: enabled_toolsets === undefined ? undefined : filled(enabled_toolsets),
    workdir,
    model: input.model === undefined ? undefined : input.model.model === "" ? null : input.model.model,
    provider: provider === undefined ? undefined : provider === "" ? null : provider,
  });
}

function filled(given: readonly string[]): readonly string[] {
  return given.filter((one) => one !== "");
}

function wordsOf(given: unknown): string | undefined {
  return typeof given === "string" ? given : undefined;
}

function failure(
  code: "blocked" | "bad_arguments",
  message: string,
  hint: string | undefined,
  cause?: unknown,
  data: JsonObject = {},
): ToolFailure {
  return new ToolFailure(code, message, {
    data: { success: false, ...data },
    hint,
    cause,
  });
}

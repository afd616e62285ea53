import type { App } from "../../../contract/services/app.ts";
import type { ClaimedRun, JobService, RunResult, ScriptEnd } from "../../../contract/services/job-service.ts";
import type { Job } from "../../../contract/services/job.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import {
  cut,
  documentOf,
  failureMessage,
  isSilent,
  messageOf,
  promptOf,
  responseOf,
  staysAsleep,
} from "./job-prompt.ts";

/** Runs a claimed job and stores the result. A failure of the job never rejects. */
export async function runJob(app: App, claimed: ClaimedRun, signal: AbortSignal): Promise<RunResult> {
  const stop = AbortSignal.any([signal, claimed.lost]);
  const result = await execute(app, claimed, stop).catch((cause: unknown) => {
    app.log.error(`The scheduled job "${claimed.job.name}" (${claimed.job.id}) failed unexpectedly`, { cause });
    return failed(claimed, cause instanceof Error ? cause.message : String(cause));
  });
  await claimed.finish(result);
  return result;
}

async function execute(app: App, claimed: ClaimedRun, stop: AbortSignal): Promise<RunResult> {
  const { job } = claimed;
  if (claimed.refused !== undefined)
    return failed(claimed, `BLOCKED: Hermes does not run its prompt: ${claimed.refused}.`);
  const { work } = await app.jobs();
  const script = job.script === null ? undefined : await work.script(job, stop);
  if (
    script !== undefined &&
    (job.no_agent || (script.ok && (script.output.trim() === "" || staysAsleep(script.output))))
  )
    return scriptResult(app, claimed, script);
  return askAgent(app, claimed, script, work, stop);
}

/** The result of a job that needs only its script. */
function scriptResult(app: App, claimed: ClaimedRun, { ok, output, error }: ScriptEnd): RunResult {
  if (!ok) return failed(claimed, error ?? "The script failed.", output);
  const quiet = output.trim() === "" || staysAsleep(output);
  return succeeded(app, claimed, output, quiet ? "silent: the script has no output" : "done", quiet);
}

async function askAgent(
  app: App,
  claimed: ClaimedRun,
  script: ScriptEnd | undefined,
  work: JobService["work"],
  stop: AbortSignal,
): Promise<RunResult> {
  const { job, run, sessionId } = claimed;
  await using session = await app.openSession({
    surface: "cron",
    cwd: job.workdir ?? process.cwd(),
    sessionId,
    toolsets: {
      enabled: job.enabled_toolsets ?? undefined,
      disabled: job.whose === undefined ? NEVER : [...NEVER, ...OF_THE_OWNER],
    },
    ignoreRules: job.workdir === null,
    ignoreMemory: true,
    whose: job.whose,
    job: { id: job.id },
    model: {
      name: job.model ?? undefined,
      provider: job.provider ?? undefined,
      baseUrl: job.base_url ?? undefined,
    },
  });
  const skills = await Promise.all(
    job.skills.map(async (name) => ({ name, text: await skillText(app, session, name) })),
  );
  const earlier = await Promise.all(
    (job.context_from ?? []).map(async (id) => ({ job: id, text: await work.lastOutput(id) })),
  );
  const prompt = promptOf(claimed, {
    skills: skills.flatMap(({ text }) => text ?? []),
    missing: skills.flatMap(({ name, text }) => (text === undefined ? [name] : [])),
    earlier: earlier.flatMap(({ job: id, text }) =>
      text === undefined ? [] : [{ job: id, text: cut(responseOf(text), MAX_CONTEXT) }],
    ),
    script,
  });
  const end = await sendWatched(session, prompt, { idleMs: idleMs(app), stop });
  // The title is only for display, so a duplicate must not fail the job.
  await app.sessions
    .rename(sessionId, `${job.name} · ${new Date(run.startedAt).toISOString().slice(0, 16).replace("T", " ")}`)
    .catch(() => undefined);
  const problem = problemOf(end);
  if (problem !== undefined) return failed(claimed, problem, end.text, sessionId);
  const quiet = isSilent(end.text);
  return { ...succeeded(app, claimed, end.text, quiet ? "silent" : "done", quiet, sessionId), sessionId };
}

/** A scheduled run must not create jobs, send to chats or wait for an answer. */
const NEVER = ["cronjob", "hermes-cronjobs", "messaging", "clarify"];
/** Another user's job must not read the owner's memory or sessions: many users may read its answer. */
const OF_THE_OWNER = ["memory", "session_search"];
const MAX_CONTEXT = 8_000;

/** Loads the skill's text with the tool that models use; `undefined`: there is no such skill. */
async function skillText(app: App, session: Session, name: string): Promise<string | undefined> {
  const tool = app.tools.withRole("skill");
  if (tool === undefined) return undefined;
  const outcome = await session.call(tool, { name });
  return outcome.kind === "ok" ? textOf(outcome.shown) : undefined;
}

/** Runs a turn, and interrupts it when it is inactive for too long or the scheduler stops. */
async function sendWatched(
  session: Session,
  prompt: Parameters<Session["send"]>[0],
  { idleMs, stop }: { readonly idleMs: number; readonly stop: AbortSignal },
): Promise<TurnEnd & { readonly stoppedFor?: string }> {
  let stoppedFor: string | undefined;
  const interrupt = (why: string): void => {
    stoppedFor ??= why;
    void session.interrupt(why);
  };
  let timer: NodeJS.Timeout | undefined;
  const touch = (): void => {
    clearTimeout(timer);
    if (idleMs > 0)
      timer = setTimeout(
        () => interrupt(`No activity for ${idleMs / 1000} s (cron.inactivity_timeout_seconds).`),
        idleMs,
      );
  };
  const onStop = (): void => interrupt("The scheduler stopped, or the job was removed.");
  stop.addEventListener("abort", onStop, { once: true });
  try {
    using _received = session.subscribe(touch);
    touch();
    const turn = session.send(prompt);
    if (stop.aborted) onStop();
    const end = await turn;
    return stoppedFor === undefined ? end : { ...end, stoppedFor };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", onStop);
  }
}

/** Why a turn counts as failed. An answer at the request limit counts as success. */
function problemOf({
  reason,
  text,
  detail,
  stoppedFor,
}: TurnEnd & { readonly stoppedFor?: string }): string | undefined {
  if (stoppedFor !== undefined) return `Interrupted: ${stoppedFor}`;
  if (reason === "failed" || reason === "cancelled") return detail ?? `The turn ended: ${reason}.`;
  return text.trim() === "" ? (detail ?? "The agent's answer is empty.") : undefined;
}

function idleMs({ config }: App): number {
  const seconds = config.get("cron.inactivity_timeout_seconds");
  return (typeof seconds === "number" ? seconds : 600) * 1000;
}

function failed({ job, run }: ClaimedRun, error: string, response = "", sessionId?: string): RunResult {
  const ids = sessionId === undefined ? {} : { sessionId };
  return {
    ok: false,
    error,
    ...ids,
    document: documentOf(job, run, {
      outcome: `failed: ${error.split("\n")[0]}`,
      ...ids,
      response: `${error}\n\n${response}`,
    }),
    message: failureMessage(job, error),
  };
}

function succeeded(
  { config }: App,
  { job, run }: ClaimedRun,
  answer: string,
  outcome: string,
  quiet: boolean,
  sessionId?: string,
): RunResult {
  const document = documentOf(job, run, {
    outcome,
    sessionId,
    response: answer,
  });
  return {
    ok: true,
    document,
    message: quiet ? undefined : messageOf(job, answer, config.get("cron.wrap_response") !== false),
  };
}

/** The line that reports the end of a job. */
export function lineOf(job: Job, result: RunResult): string {
  const how = result.ok
    ? result.message === undefined
      ? "done, nothing to report"
      : "done"
    : `failed: ${(result.error ?? "").split("\n")[0]}`;
  return `${result.ok ? "✓" : "✗"} ${job.name} (${job.id}): ${how}`;
}

import type { ClaimedRun, ScriptEnd } from "../../../contract/services/job-service.ts";
import type { Job, JobRun } from "../../../contract/services/job.ts";
import type { Part, Provenance } from "../../../contract/conversation/part.ts";

/**
 * The prompt of a scheduled run: preamble, skills, output of scripts and other jobs, and the task. Only the task is
 * from the user.
 */
export function promptOf(
  { job, run, missed }: Pick<ClaimedRun, "job" | "run" | "missed">,
  around: {
    readonly skills: readonly string[];
    readonly missing: readonly string[];
    readonly earlier: readonly { readonly job: string; readonly text: string }[];
    readonly script: ScriptEnd | undefined;
  },
): readonly Part[] {
  const late = missed
    ? ` It was due at ${new Date(run.dueAt).toISOString()} but did not start; this run replaces ${run.caughtUp === undefined ? "it" : `it and ${run.caughtUp} more`}.`
    : "";
  const missing =
    around.missing.length === 0
      ? ""
      : `\nThese skills of the job are missing; say so in your answer: ${around.missing.join(", ")}.`;
  const untrusted = (text: string, source: string): Part => ({
    type: "text",
    text,
    from: { trust: "foreign", owner: "cron", source } satisfies Provenance,
  });
  const { script } = around;
  return [
    { type: "text", text: `${PREAMBLE}${late}${missing}` },
    ...around.skills.map((text): Part => ({ type: "text", text })),
    ...around.earlier.map(({ job: id, text }) =>
      untrusted(`## Output from job '${id}'\n${text}`, `the last run of job ${id}`),
    ),
    ...(script === undefined
      ? []
      : [
          untrusted(
            script.ok
              ? `## Script Output\n${cut(script.output, MAX_SCRIPT)}`
              : `## Script Error\n${script.error ?? ""}\n${cut(script.output, MAX_SCRIPT)}`,
            `the script ${job.script ?? ""}`,
          ),
        ]),
    { type: "text", text: job.prompt === "" ? "Follow the skills." : job.prompt },
  ];
}

const PREAMBLE =
  "This is a scheduled job run. Hermes delivers your final answer: put everything to report into it, and do not send it yourself. " +
  'If there is nothing to report, answer exactly "[SILENT]".';

const MAX_SCRIPT = 50_000;

/** Keeps the end of a long text. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(-most)}`.toWellFormed();
}

/** Whether an answer asks not to be delivered, with its first or last line. */
export function isSilent(text: string): boolean {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return (
    lines.length === 0 || /^\[SILENT\]/i.test(lines[0]!) || [lines[0]!, lines.at(-1)!].some((line) => SILENT.test(line))
  );
}

const SILENT = /^(?:\[SILENT\]|SILENT|NO[_ ]REPLY)$/i;

/** Whether the script's last line is JSON that skips the agent. */
export function staysAsleep(output: string): boolean {
  const last = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
  if (!last.startsWith("{")) return false;
  try {
    return (JSON.parse(last) as { readonly wakeAgent?: unknown }).wakeAgent === false;
  } catch {
    return false; // Some other line.
  }
}

export function messageOf(job: Job, answer: string, wrapped: boolean): string {
  return wrapped
    ? `⏰ ${job.name}\n\n${answer.trim()}\n\n(job ${job.id}; to stop it: hermes cron pause ${job.id})`
    : answer.trim();
}

export function failureMessage(job: Job, error: string): string {
  const line = error
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join(" · ");
  return `⏰ Scheduled job "${job.name}" failed: ${line.length > MAX_ERROR ? `${line.slice(0, MAX_ERROR - 1)}…` : line}`.toWellFormed();
}

const MAX_ERROR = 180;

/** The document of a run. */
export function documentOf(
  job: Job,
  run: JobRun,
  ended: { readonly outcome: string; readonly sessionId?: string; readonly response: string },
): string {
  const lines = [
    `# ${job.name}`,
    "",
    `- Job: ${job.id}`,
    `- Schedule: ${job.schedule_display}`,
    `- Due: ${new Date(run.dueAt).toISOString()}`,
    `- Started: ${new Date(run.startedAt).toISOString()}`,
    ...(ended.sessionId === undefined ? [] : [`- Session: ${ended.sessionId}`]),
    `- Outcome: ${ended.outcome}`,
  ];
  return `${lines.join("\n")}\n\n## Prompt\n\n${job.prompt}\n${RESPONSE}${ended.response.trim()}\n`;
}

const RESPONSE = "\n## Response\n\n";

/** The response in a stored document, without the prompt. */
export function responseOf(document: string): string {
  const at = document.search(/\n## Response\s*\n/);
  return at < 0
    ? document
    : document
        .slice(at)
        .replace(/^\n## Response\s*\n/, "")
        .trim();
}

import type { ClaimedRun, ScriptEnd } from "../../../contract/services/job-service.ts";
import type { Job, JobRun } from "../../../contract/services/job.ts";
import type { Part, Provenance } from "../../../contract/conversation/part.ts";

/** What a scheduled run is told, in order: how it is heard, skills, what scripts and other jobs say, the task. Only the task is the person's. */
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
    ? ` It was due at ${new Date(run.dueAt).toISOString()}; nothing ran then, and this run stands for ${run.caughtUp === undefined ? "it" : `it and ${run.caughtUp} more`}.`
    : "";
  const missing =
    around.missing.length === 0
      ? ""
      : `\nThese skills of the job are not there; say so in your answer: ${around.missing.join(", ")}.`;
  const message = (text: string, source: string): Part => ({
    type: "text",
    text,
    from: { trust: "foreign", owner: "cron", source } satisfies Provenance,
  });
  const { script } = around;
  return [
    { type: "text", text: `${PREAMBLE}${late}${missing}` },
    ...around.skills.map((text): Part => ({ type: "text", text })),
    ...around.earlier.map(({ job: id, text }) =>
      message(`## Output from job '${id}'\n${text}`, `the last run of job ${id}`),
    ),
    ...(script === undefined
      ? []
      : [
          message(
            script.ok
              ? `## Script Output\n${cut(script.output, MAX_SCRIPT)}`
              : `## Script Error\n${script.error ?? ""}\n${cut(script.output, MAX_SCRIPT)}`,
            `the script ${job.script ?? ""}`,
          ),
        ]),
    { type: "text", text: job.prompt === "" ? "Do what the skills say." : job.prompt },
  ];
}

const PREAMBLE =
  "This is the run of a scheduled job. Your final answer is delivered by itself: put everything that is to be read into it, and send it to nobody. " +
  'When there is nothing worth telling, answer exactly "[SILENT]".';

const MAX_SCRIPT = 50_000;

/** Of a long text its end. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `…${text.slice(-most)}`.toWellFormed();
}

/** Whether an answer asks to be kept from its reader: the whole of it, its first or its last line says so. */
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

/** A script may end with a line of JSON that leaves the agent asleep. */
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
    ? `⏰ ${job.name}\n\n${answer.trim()}\n\n(job ${job.id}; hermes cron pause ${job.id} stops it)`
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

/** The run as a file. */
export function documentOf(
  job: Job,
  run: JobRun,
  reported: { readonly outcome: string; readonly sessionId?: string; readonly response: string },
): string {
  const lines = [
    `# ${job.name}`,
    "",
    `- Job: ${job.id}`,
    `- Schedule: ${job.schedule_display}`,
    `- Due: ${new Date(run.dueAt).toISOString()}`,
    `- Started: ${new Date(run.startedAt).toISOString()}`,
    ...(reported.sessionId === undefined ? [] : [`- Session: ${reported.sessionId}`]),
    `- Outcome: ${reported.outcome}`,
  ];
  return `${lines.join("\n")}\n\n## Prompt\n\n${job.prompt}\n${RESPONSE}${reported.response.trim()}\n`;
}

const RESPONSE = "\n## Response\n\n";

/** What a kept document says, without the prompt it answers. */
export function responseOf(document: string): string {
  const at = document.search(/\n## Response\s*\n/);
  return at < 0
    ? document
    : document
        .slice(at)
        .replace(/^\n## Response\s*\n/, "")
        .trim();
}

import type { Job, JsonObject } from "hermes-agent/plugin";
import { definedFields } from "hermes-agent/plugin";

const PREVIEW = 100;

/** A job for the model, with the original's keys. */
export function jobView(job: Job): JsonObject {
  const { prompt, skills } = job;
  return {
    job_id: job.id,
    name: job.name,
    skill: skills[0] ?? null,
    skills,
    prompt_preview: prompt.length > PREVIEW ? `${prompt.slice(0, PREVIEW)}...`.toWellFormed() : prompt,
    model: job.model,
    provider: job.provider,
    base_url: job.base_url,
    schedule: job.schedule_display,
    repeat: repeatOf(job),
    deliver: job.deliver,
    next_run_at: job.next_run_at,
    last_run_at: job.last_run_at,
    last_status: job.last_status,
    last_delivery_error: job.last_delivery_error,
    enabled: job.enabled,
    state: job.state,
    paused_at: job.paused_at,
    paused_reason: job.paused_reason,
    ...definedFields({
      script: job.script ?? undefined,
      no_agent: job.no_agent ? true : undefined,
      enabled_toolsets: job.enabled_toolsets ?? undefined,
      workdir: job.workdir ?? undefined,
    }),
  };
}

function repeatOf({ repeat: { times, completed } }: Job): string {
  if (times === null) return "forever";
  if (times === 1) return completed === 0 ? "once" : "1/1";
  return completed === 0 ? `${times} times` : `${completed}/${times}`;
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Job, Schedule } from "../../contract/services/job.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Home } from "../environment/home.ts";

/** Reads the original's `cron/jobs.json`. `undefined` if there is none, a text if it is unreadable. */
export function jobsOfOriginal(home: Home): readonly Job[] | string | undefined {
  let text: string;
  try {
    text = readFileSync(home.file("cron", "jobs.json"), "utf8");
  } catch {
    return undefined;
  }
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    try {
      // Line breaks inside texts, as older versions wrote them.
      // oxlint-disable-next-line no-control-regex
      value = JSON.parse(text.replaceAll(/[\u0000-\u001f]/g, " ")) as Json;
    } catch {
      return `${home.file("cron", "jobs.json")} cannot be read (${(cause as Error).message}), so its jobs were not imported.`;
    }
  }
  const list = Array.isArray(value) ? value : isObject(value) && Array.isArray(value["jobs"]) ? value["jobs"] : [];
  return list.flatMap((record) => (isObject(record) ? (toJob(record) ?? []) : []));
}

/** A record with what older versions left out; keys that we do not know stay in it. */
function toJob(record: JsonObject): Job | undefined {
  const schedule = scheduleOf(record["schedule"]);
  if (schedule === undefined) return undefined;
  const text = (key: string): string | null =>
    typeof record[key] === "string" && record[key] !== "" ? record[key] : null;
  const list = (key: string): readonly string[] =>
    Array.isArray(record[key])
      ? record[key].filter((one) => typeof one === "string")
      : typeof record[key] === "string"
        ? [record[key]]
        : [];
  const prompt = text("prompt") ?? "";
  const repeat = isObject(record["repeat"]) ? record["repeat"] : {};
  const skill = text("skill");
  const skills = list("skills").length > 0 || skill === null ? list("skills") : [skill];
  const state = text("state");
  const enabled = record["enabled"] !== false;
  return {
    ...record,
    id: text("id") ?? createHash("sha256").update(JSON.stringify(record)).digest("hex").slice(0, 12),
    name: text("name") ?? (prompt.slice(0, 50) || (skills[0] ?? "job")),
    prompt,
    skills,
    model: text("model"),
    provider: text("provider"),
    base_url: text("base_url"),
    script: text("script"),
    no_agent: record["no_agent"] === true,
    context_from: list("context_from").length > 0 ? list("context_from") : null,
    schedule,
    schedule_display: text("schedule_display") ?? schedule.display,
    repeat: {
      times: typeof repeat["times"] === "number" && repeat["times"] > 0 ? repeat["times"] : null,
      completed: typeof repeat["completed"] === "number" ? repeat["completed"] : 0,
    },
    enabled,
    state: state === "paused" || state === "completed" || state === "error" ? state : enabled ? "scheduled" : "paused",
    paused_at: text("paused_at"),
    paused_reason: text("paused_reason"),
    created_at: text("created_at") ?? new Date(0).toISOString(),
    next_run_at: text("next_run_at"),
    last_run_at: text("last_run_at"),
    last_status: record["last_status"] === "ok" || record["last_status"] === "error" ? record["last_status"] : null,
    last_error: text("last_error"),
    last_delivery_error: text("last_delivery_error"),
    deliver: text("deliver") ?? "local",
    origin:
      isObject(record["origin"]) && typeof record["origin"]["platform"] === "string"
        ? (record["origin"] as unknown as Job["origin"])
        : null,
    enabled_toolsets: list("enabled_toolsets").length > 0 ? list("enabled_toolsets") : null,
    workdir: text("workdir"),
    triggered_at: null,
  };
}

function scheduleOf(value: Json | undefined): Schedule | undefined {
  if (!isObject(value)) return undefined;
  const { kind, minutes, expr, run_at, display } = value;
  if (kind === "interval" && typeof minutes === "number")
    return {
      kind,
      minutes: Math.max(1, minutes),
      display: typeof display === "string" ? display : `every ${minutes}m`,
    };
  if (kind === "cron" && typeof expr === "string")
    return { kind, expr, display: typeof display === "string" ? display : expr };
  if (kind === "once" && typeof run_at === "string")
    return { kind, run_at, display: typeof display === "string" ? display : `once at ${run_at.slice(0, 16)}` };
  return undefined;
}

/** Milliseconds since the original's scheduler last reported that it runs; `undefined`: never, or unknown. */
export function originalAliveFor(home: Home, now: number): number | undefined {
  try {
    const seconds = Number(readFileSync(home.file("cron", "ticker_heartbeat"), "utf8"));
    return Number.isFinite(seconds) ? now - seconds * 1000 : undefined;
  } catch {
    return undefined;
  }
}

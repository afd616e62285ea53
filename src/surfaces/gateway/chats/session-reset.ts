import type { App } from "../../../contract/services/app.ts";

export interface ResetPolicy {
  readonly mode: "none" | "daily" | "idle" | "both";
  /** Hour of the day in local time. */
  readonly atHour: number;
  readonly idleMinutes: number;
  readonly notify: boolean;
}

export function resetPolicy({ config }: Pick<App, "config">): ResetPolicy {
  const mode = config.get("session_reset.mode");
  return {
    mode: mode === "daily" || mode === "idle" || mode === "both" ? mode : "none",
    atHour: Number(config.get("session_reset.at_hour") ?? 4),
    idleMinutes: Number(config.get("session_reset.idle_minutes") ?? 1440),
    notify: config.get("session_reset.notify") !== false,
  };
}

/** Why a chat that was last active at `lastAt` starts a new conversation at `now`; `undefined`: it continues. */
export function whyReset(
  { mode, atHour, idleMinutes }: ResetPolicy,
  lastAt: number,
  now: number,
): "daily" | "idle" | undefined {
  if ((mode === "idle" || mode === "both") && now - lastAt >= idleMinutes * 60_000) return "idle";
  return (mode === "daily" || mode === "both") && lastAt < lastBoundary(atHour, now) ? "daily" : undefined;
}

export function resetText(why: "daily" | "idle", { atHour, idleMinutes }: ResetPolicy): string {
  const since = why === "daily" ? `it is past ${atHour}:00` : `the chat was idle for ${idleMinutes} minutes`;
  return `New conversation, because ${since} (session_reset). /resume continues the previous one.`;
}

/** The latest time at which that hour began. */
function lastBoundary(atHour: number, now: number): number {
  const day = new Date(now);
  day.setHours(atHour, 0, 0, 0);
  if (day.getTime() > now) day.setDate(day.getDate() - 1);
  return day.getTime();
}

import type { App } from "../../../contract/services/app.ts";

export interface ResetPolicy {
  readonly mode: "none" | "daily" | "idle" | "both";
  /** Of the day, by this machine's clock. */
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

/** Why a chat in which something was last written at `lastAt` begins anew at `now`; `undefined`: it goes on. */
export function whyReset(
  { mode, atHour, idleMinutes }: ResetPolicy,
  lastAt: number,
  now: number,
): "daily" | "idle" | undefined {
  if ((mode === "idle" || mode === "both") && now - lastAt >= idleMinutes * 60_000) return "idle";
  return (mode === "daily" || mode === "both") && lastAt < lastBoundary(atHour, now) ? "daily" : undefined;
}

export function resetText(why: "daily" | "idle", { atHour, idleMinutes }: ResetPolicy): string {
  const since = why === "daily" ? `it is after ${atHour}:00` : `nothing was written for ${idleMinutes} minutes`;
  return `This is a new conversation, since ${since} (session_reset). /resume goes on with the one before.`;
}

/** The newest moment at which the clock showed that hour. */
function lastBoundary(atHour: number, now: number): number {
  const day = new Date(now);
  day.setHours(atHour, 0, 0, 0);
  if (day.getTime() > now) day.setDate(day.getDate() - 1);
  return day.getTime();
}

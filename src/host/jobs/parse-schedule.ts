import { UserError } from "../../contract/common/failure.ts";
import type { Schedule } from "../../contract/services/job.ts";
import { cronTimes } from "./cron-times.ts";
import { fromWall, toIso } from "./zoned-time.ts";

/**
 * Parses a schedule, in this order: `every 30m`, `every sunday 9am`, a cron expression, a time, `30m` from now.
 * @throws {UserError} that lists the forms.
 */
export async function parseSchedule(given: string, now: number, zone: string): Promise<Schedule> {
  const text = given.trim().replace(/\s+/g, " ");
  const every = /^every (.+)$/i.exec(text)?.[1];
  if (every !== undefined) return interval(every, given) ?? byDay(every) ?? refuse(given);
  const fields = text.split(" ");
  if (fields.length >= 5 && fields.slice(0, 5).every((field) => /^[\d*,/-]+$/.test(field)))
    return cron(text, now, zone);
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return once(text, now, zone, given);
  const minutes = minutesOf(text);
  if (minutes === undefined) return refuse(given);
  return { kind: "once", run_at: toIso(now + minutes * 60_000, zone), display: `once in ${text}` };
}

/** A one-shot time further in the past is refused; the user may have typed for a while. */
export const ONCE_GRACE_MS = 120_000;

function refuse(given: string): never {
  throw new UserError(`"${given}" is not a schedule.`, {
    hint: 'Once: "30m", "2h", "1d", "2026-12-01T09:00". Repeatedly: "every 30m", "every day at 9am", "every sunday 18:30", or a cron expression such as "0 9 * * 1-5".',
    exitCode: 2,
  });
}

const UNITS: readonly (readonly [names: RegExp, minutes: number])[] = [
  [/^(?:m|mins?|minutes?)$/, 1],
  [/^(?:h|hrs?|hours?)$/, 60],
  [/^(?:d|days?)$/, 1440],
];

/** Of `30m`, `2 hours`, `1d`. */
function minutesOf(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,7}) ?([a-z]+)$/i.exec(text) ?? [];
  const each = UNITS.find(([names]) => names.test(unit.toLowerCase()))?.[1];
  return each === undefined || Number(count) === 0 ? undefined : Number(count) * each;
}

function interval(text: string, given: string): Schedule | undefined {
  const minutes = minutesOf(text);
  if (minutes === undefined) return undefined;
  if (minutes > MAX_MINUTES)
    throw new UserError(`The interval "${given}" is longer than ten years.`, {
      hint: "Use a shorter interval.",
      exitCode: 2,
    });
  return { kind: "interval", minutes, display: `every ${minutes}m` };
}

const MAX_MINUTES = 10 * 366 * 1440;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** `day 7am`, `sunday at 09:00`, `weekday 8:30`, `1d at 9pm`: kept as the cron expression it is. */
function byDay(text: string): Schedule | undefined {
  const [, day = "", clock = "", past = "00", half] =
    /^(1 ?d(?:ay)?|[a-z]+)(?: at)? (\d{1,2})(?::(\d{2}))? ?(am|pm)?$/i.exec(text) ?? [];
  const name = day.toLowerCase();
  const index = name.length < 3 ? -1 : DAYS.findIndex((each) => each.startsWith(name));
  const days = /^(?:1 ?d(?:ay)?|day)$/.test(name)
    ? "*"
    : name === "weekday"
      ? "1-5"
      : name === "weekend"
        ? "0,6"
        : index < 0
          ? undefined
          : String(index);
  if (half === undefined && !text.includes(":")) return undefined;
  const hour =
    half === undefined
      ? Number(clock)
      : Number(clock) > 12 || Number(clock) === 0
        ? 24
        : (Number(clock) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const minute = Number(past);
  if (days === undefined || hour > 23 || minute > 59) return undefined;
  const expr = `${minute} ${hour} * * ${days}`;
  return { kind: "cron", expr, display: expr };
}

async function cron(expr: string, now: number, zone: string): Promise<Schedule> {
  let next: number | undefined;
  try {
    next = (await cronTimes(expr, zone)).after(now);
  } catch (cause) {
    throw new UserError(`The cron expression "${expr}" cannot be read: ${(cause as Error).message}.`, {
      hint: "Write minute, hour, day of the month, month, day of the week, each a number, *, a list, a range or a step: 0 9 * * 1-5.",
      exitCode: 2,
      cause,
    });
  }
  if (next === undefined) throw new UserError(`The cron expression "${expr}" never matches a date.`, { exitCode: 2 });
  return { kind: "cron", expr, display: expr };
}

function once(text: string, now: number, zone: string, given: string): Schedule {
  const at = momentOf(text, zone) ?? refuse(given);
  if (at < now - ONCE_GRACE_MS)
    throw new UserError(`The time "${given}" is in the past (it is ${toIso(now, zone)} here).`, {
      hint: "Use a later time.",
      exitCode: 2,
    });
  const iso = toIso(at, zone);
  return { kind: "once", run_at: iso, display: `once at ${iso.slice(0, 10)} ${iso.slice(11, 16)}` };
}

/** Of an ISO time; without an offset it is meant in `zone`, without a clock at midnight. */
export function momentOf(text: string, zone: string): number | undefined {
  const [, year, month, day, hour = "0", minute = "0", second = "0", offset] =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text) ??
    [];
  if (year === undefined) return undefined;
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
  const utc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
  // 30 February would become a day of March.
  if (
    new Date(utc).toISOString().slice(0, 19) !==
    `${year}-${month}-${day}T${hour.padStart(2, "0")}:${minute.padStart(2, "0")}:${second.padStart(2, "0")}`
  )
    return undefined;
  if (offset === undefined) return fromWall(wall, zone);
  const [, sign = "+", hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  return utc - (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

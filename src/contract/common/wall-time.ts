/** A moment as a clock on the wall shows it. */
export interface WallTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** @param timeZone Its IANA name, `Europe/Berlin`; "" is this machine's own. */
export function wallTime(at: number, timeZone: string): WallTime {
  const date = new Date(at);
  if (timeZone === "")
    return {
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
      hour: date.getHours(),
      minute: date.getMinutes(),
      second: date.getSeconds(),
    };
  const parts = formatIn(timeZone).formatToParts(date);
  const number = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  return {
    year: number("year"),
    month: number("month"),
    day: number("day"),
    hour: number("hour"),
    minute: number("minute"),
    second: number("second"),
  };
}

/** `2026-05-17`. */
export function wallDay({ year, month, day }: WallTime): string {
  return `${year}-${two(month)}-${two(day)}`;
}

/** Supports `%H:%M` and the other time-of-day directives of strftime; copies every other character. */
export function formatWallTime(time: WallTime, format: string): string {
  return format.replace(/%([YmdHIMSpFTR%])/g, (_, sign: string) => SIGNS[sign]?.(time) ?? "%");
}

const SIGNS: { readonly [sign: string]: (time: WallTime) => string } = {
  Y: ({ year }) => String(year),
  m: ({ month }) => two(month),
  d: ({ day }) => two(day),
  H: ({ hour }) => two(hour),
  I: ({ hour }) => two(hour % 12 === 0 ? 12 : hour % 12),
  M: ({ minute }) => two(minute),
  S: ({ second }) => two(second),
  p: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  F: wallDay,
  T: ({ hour, minute, second }) => `${two(hour)}:${two(minute)}:${two(second)}`,
  R: ({ hour, minute }) => `${two(hour)}:${two(minute)}`,
};

function two(value: number): string {
  return String(value).padStart(2, "0");
}

let last: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined;

/** Making one costs a millisecond; a process has one zone. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  if (last?.timeZone !== timeZone) {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    last = { timeZone, format };
  }
  return last.format;
}

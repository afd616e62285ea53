import { wallTime, type WallTime } from "../../contract/common/wall-time.ts";

/** `2026-11-23T09:00:00+01:00`. */
export function toIso(at: number, zone: string): string {
  const wall = wallTime(at, zone);
  const offset = Math.round((utcOf(wall) - Math.floor(at / 1000) * 1000) / 60_000);
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  return `${String(wall.year).padStart(4, "0")}-${two(wall.month)}-${two(wall.day)}T${two(wall.hour)}:${two(wall.minute)}:${two(wall.second)}${offset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
}

/**
 * The moment at which a clock of that zone shows this; of two the earlier, and where clocks jump over it, as far behind
 * the jump.
 */
export function fromWall(wall: WallTime, zone: string): number {
  const utc = utcOf(wall);
  // Offsets are asked a day before and after, so that one of both holds whatever changes in between.
  const offsets = [utc - DAY_MS, utc + DAY_MS].map((near) => utcOf(wallTime(near, zone)) - near);
  const moments = offsets.map((offset) => utc - offset);
  const shown = moments.filter((moment) => utcOf(wallTime(moment, zone)) === utc);
  return shown.length > 0 ? Math.min(...shown) : moments[0]!;
}

const DAY_MS = 86_400_000;

function utcOf({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

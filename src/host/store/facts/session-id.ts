import type { Chance } from "../../../contract/common/clock.ts";

/** `20260407_093015_3fa9c1`: local time, then six hex digits, in chats eight. Sorts by time, and users recognise it. */
export function newSessionId(now: number, random: Chance, digits: 6 | 8 = 6): string {
  const tail = Math.floor(random() * 16 ** digits)
    .toString(16)
    .padStart(digits, "0");
  return `${stampOf(now)}_${tail}`;
}

/** `20260407_093015`, local time. */
export function stampOf(at: number): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`;
  return `${day}_${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

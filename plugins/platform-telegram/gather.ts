import type { Message, Update } from "./telegram-types.ts";

export interface BatchTimes {
  readonly batchMs: number;
  readonly splitMs: number;
}

/** Telegram clients split texts near this length. */
const ALMOST_FULL = 4_000;
const ALBUM_MS = 800;
/** Messages with a longer gap are separate. */
const APART_SECONDS = 3;

/** How long to wait for messages that may belong to the last of these; 0: it is complete. */
export function waitFor(updates: readonly Update[], { batchMs, splitMs }: BatchTimes): number {
  const last = updates.at(-1)?.message;
  if (last === undefined) return 0;
  if (last.media_group_id !== undefined) return ALBUM_MS;
  const { text } = last;
  if (batchMs === 0 || text === undefined || text.startsWith("/")) return 0;
  if (text.length >= ALMOST_FULL) return splitMs;
  // A short text is rarely the first part of a longer one.
  return Math.min(batchMs, text.length <= 320 ? 180 : text.length <= 1_024 ? 240 : batchMs);
}

/**
 * Groups messages that belong together: parts of an album, and consecutive texts of one user. Deterministic and in
 * order.
 */
export function gather(
  updates: readonly Update[],
  { batchMs }: Pick<BatchTimes, "batchMs">,
): readonly (readonly Message[])[] {
  const groups: Message[][] = [];
  for (const { message } of updates) {
    if (message === undefined) continue;
    const group = groups.findLast((one) => placeOf(one[0]!) === placeOf(message));
    if (group !== undefined && belongs(group.at(-1)!, message, batchMs)) group.push(message);
    else groups.push([message]);
  }
  return groups;
}

function belongs(before: Message, next: Message, batchMs: number): boolean {
  if (next.media_group_id !== undefined) return before.media_group_id === next.media_group_id;
  if (
    batchMs === 0 ||
    before.text === undefined ||
    next.text === undefined ||
    before.text.startsWith("/") ||
    next.text.startsWith("/")
  )
    return false;
  return next.date - before.date <= APART_SECONDS;
}

function placeOf({ chat, from, message_thread_id }: Message): string {
  return `${chat.id}:${message_thread_id ?? ""}:${from?.id ?? ""}`;
}

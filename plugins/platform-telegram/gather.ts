import type { Message, Update } from "./telegram-types.ts";

export interface BatchTimes {
  readonly batchMs: number;
  readonly splitMs: number;
}

/** Telegram's clients cut a text there. */
const ALMOST_FULL = 4_000;
const ALBUM_MS = 800;
/** What came further apart was not written in one breath. */
const APART_SECONDS = 3;

/** How long to wait for what may still belong to the last of these; 0 when it stands by itself. */
export function waitFor(updates: readonly Update[], { batchMs, splitMs }: BatchTimes): number {
  const last = updates.at(-1)?.message;
  if (last === undefined) return 0;
  if (last.media_group_id !== undefined) return ALBUM_MS;
  const { text } = last;
  if (batchMs === 0 || text === undefined || text.startsWith("/")) return 0;
  if (text.length >= ALMOST_FULL) return splitMs;
  // Short words are rarely the first half of something.
  return Math.min(batchMs, text.length <= 320 ? 180 : text.length <= 1_024 ? 240 : batchMs);
}

/** Messages that are one: parts of an album, and texts of one person that follow each other at once. In order; the same updates give the same. */
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

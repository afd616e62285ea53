import type { Json, Logger, PluginStorage } from "hermes-agent/plugin";
import { BotApiError, type BotApi } from "./bot-api.ts";
import { gather, waitFor, type BatchTimes } from "./gather.ts";
import type { CallbackQuery, Message, Update } from "./telegram-types.ts";

const POLL_SECONDS = 30;
const LONGEST_PAUSE_MS = 60_000;
const CONFLICT_PAUSE_MS = 10_000;
/** However many follow each other, they are read after this many waits. */
const MAX_WAITS = 10;

export const ALLOWED_UPDATES = ["message", "callback_query"];

export interface UpdatePorts {
  readonly api: BotApi;
  readonly storage: Pick<PluginStorage, "get" | "set">;
  /** Of the bot: its id. */
  readonly key: string;
  readonly times: BatchTimes;
  readonly log: Logger;
  readonly signal: AbortSignal;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when these are kept; they come again when it rejects. */
  take(messages: readonly Message[]): Promise<void>;
  press(query: CallbackQuery): Promise<void>;
  /** The bot may not ask any more. */
  lost(reason: string): void;
}

/** Where it stands: the first update that is not dealt with, and the last of those that were put together and perhaps not all taken. */
interface Place {
  readonly next: number;
  readonly batch?: number;
}

/**
 * Asks for updates until it is stopped. Telegram keeps what was not confirmed, and what is taken is confirmed by the next question: a process
 * that ends in between is given it again. What was put together once is put together the same way again.
 */
export async function pollUpdates(ports: UpdatePorts): Promise<void> {
  const { api, storage, key, times, log, signal, sleep, take, press } = ports;
  const ask = async (offset: number, timeout: number): Promise<readonly Update[]> =>
    (await api.call(
      "getUpdates",
      { offset, timeout, allowed_updates: ALLOWED_UPDATES },
      { signal, timeoutMs: (timeout + 15) * 1_000 },
    )) as unknown as readonly Update[];
  let place = placeIn(await storage.get(`updates:${key}`));
  const stand = (now: Place): Promise<void> => storage.set(`updates:${key}`, { ...now }).then(() => void (place = now));
  for (let failures = 0; !signal.aborted;) {
    try {
      let updates = await ask(place.next, POLL_SECONDS);
      failures = 0;
      if (updates.length === 0) continue;
      const begun = place.batch === undefined ? [] : updates.filter(({ update_id }) => update_id <= place.batch!);
      if (begun.length > 0) updates = begun;
      else {
        for (
          let waits = 0, ms = waitFor(updates, times);
          ms > 0 && waits < MAX_WAITS;
          waits++, ms = waitFor(updates, times)
        ) {
          await sleep(ms, signal);
          const more = await ask(place.next, 0);
          if (more.length <= updates.length) break;
          updates = more;
        }
      }
      const last = updates.at(-1)!.update_id;
      const groups = gather(updates, times);
      if (groups.some((group) => group.length > 1)) await stand({ next: place.next, batch: last });
      for (const messages of groups) await take(messages);
      for (const { callback_query: query } of updates) if (query !== undefined) await press(query);
      await stand({ next: last + 1 });
    } catch (cause) {
      if (signal.aborted) return;
      const { code = 0, message } = cause as Partial<BotApiError> & Error;
      if (code === 401 || code === 403 || code === 404) return ports.lost(message);
      log.warning(
        code === 409
          ? `Another program asks for this bot's updates; only one can: ${message}`
          : `Telegram's updates could not be had: ${message}`,
      );
      await sleep(pauseFor(cause, failures++), signal).catch(() => undefined); // Stopped: the loop sees it.
    }
  }
}

function pauseFor(cause: unknown, failures: number): number {
  if (!(cause instanceof BotApiError)) return Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS);
  if (cause.retryAfterMs !== undefined) return cause.retryAfterMs;
  return Math.min((cause.code === 409 ? CONFLICT_PAUSE_MS : 1_000) * 2 ** failures, LONGEST_PAUSE_MS);
}

function placeIn(stored: Json | undefined): Place {
  const { next, batch } = (
    typeof stored === "object" && stored !== null && !Array.isArray(stored) ? stored : {}
  ) as Partial<Place>;
  return { next: typeof next === "number" ? next : 0, batch: typeof batch === "number" ? batch : undefined };
}

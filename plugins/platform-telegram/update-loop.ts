import type { Json, Logger, PluginStorage } from "hermes-agent/plugin";
import { BotApiError, type BotApi } from "./bot-api.ts";
import { gather, waitFor, type BatchTimes } from "./gather.ts";
import { readUpdate, updateId } from "./read-update.ts";
import type { CallbackQuery, Message, Update } from "./telegram-types.ts";

const POLL_SECONDS = 30;
const LONGEST_PAUSE_MS = 60_000;
const CONFLICT_PAUSE_MS = 10_000;
/** Maximum number of waits for further parts of a message. */
const MAX_WAITS = 10;

export const SKIPPED = "Skipped a malformed update from Telegram.";
export const ALLOWED_UPDATES = ["message", "callback_query"];

export interface UpdatePorts {
  readonly api: BotApi;
  readonly storage: Pick<PluginStorage, "get" | "set">;
  /** Id of the bot. */
  readonly key: string;
  readonly times: BatchTimes;
  readonly log: Logger;
  readonly signal: AbortSignal;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the messages are stored; if it rejects, they come again. */
  take(messages: readonly Message[]): Promise<void>;
  press(query: CallbackQuery): Promise<void>;
  /** Reports that polling has failed permanently. */
  lost(reason: string): void;
}

/** Position: the first unprocessed update, and the last one of a group that may be stored only in part. */
interface Place {
  readonly next: number;
  readonly batch?: number;
}

/**
 * Polls for updates until stopped. Telegram keeps unconfirmed updates, and the next poll confirms the stored ones:
 * after a crash in between they come again. Repeated updates are grouped in the same way.
 */
export async function pollUpdates(ports: UpdatePorts): Promise<void> {
  const { api, storage, key, times, log, signal, sleep, take, press } = ports;
  /** Ids of the malformed updates since the last confirmation. */
  const reported = new Set<number | undefined>();
  /** A malformed update is reported once and left with nothing but its id, which confirms it. */
  const ask = async (offset: number, timeout: number): Promise<readonly Update[]> => {
    const given = await api.call(
      "getUpdates",
      { offset, timeout, allowed_updates: ALLOWED_UPDATES },
      { signal, timeoutMs: (timeout + 15) * 1_000 },
    );
    if (!Array.isArray(given)) throw new Error("Telegram's updates are not a list");
    const updates = given.flatMap((one): readonly Update[] => {
      const update = readUpdate(one);
      if (update !== undefined) return [update];
      const update_id = updateId(one);
      if (!reported.has(update_id)) log.warning(SKIPPED, { update: update_id ?? "without an id" });
      reported.add(update_id);
      return update_id === undefined ? [] : [{ update_id }];
    });
    if (updates.length === 0 && given.length > 0) throw new Error("no update of the batch has an id");
    return updates;
  };
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
      reported.clear();
    } catch (cause) {
      if (signal.aborted) return;
      const { code = 0, message } = cause as Partial<BotApiError> & Error;
      if (code === 401 || code === 403 || code === 404) return ports.lost(message);
      log.warning(
        code === 409
          ? `Another program polls this bot's updates, and only one can: ${message}`
          : `Cannot get updates from Telegram: ${message}`,
      );
      await sleep(pauseFor(cause, failures++), signal).catch(() => undefined); // On abort the loop ends.
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

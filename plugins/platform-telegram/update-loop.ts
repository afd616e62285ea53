import { isObject, type Json, type Logger, type PluginStorage } from "hermes-agent/plugin";
import { HttpRefusal } from "hermes-agent/platform";
import type { BotApi } from "./bot-api.ts";
import { readUpdate, updateId } from "./read-update.ts";
import type { Update } from "./telegram-types.ts";

const POLL_SECONDS = 30;
const LONGEST_PAUSE_MS = 60_000;
const CONFLICT_PAUSE_MS = 10_000;

export const SKIPPED = "Skipped a malformed update from Telegram.";
export const ALLOWED_UPDATES = ["message", "edited_message", "callback_query"];

export interface UpdatePorts {
  readonly api: BotApi;
  readonly storage: Pick<PluginStorage, "get" | "set">;
  /** Id of the bot. */
  readonly key: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when the update is stored; if it rejects, it comes again. */
  take(update: Update): Promise<void>;
  /** Reports that polling has failed permanently. */
  lost(reason: string): void;
}

/**
 * Polls for updates until stopped. Telegram keeps unconfirmed updates, and the next poll confirms the stored ones:
 * after a crash in between they come again.
 */
export async function pollUpdates(ports: UpdatePorts): Promise<void> {
  const { api, storage, key, log, signal, sleep, take } = ports;
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
  let next = nextIn(await storage.get(`updates:${key}`));
  for (let failures = 0; !signal.aborted;) {
    try {
      const updates = await ask(next, POLL_SECONDS);
      failures = 0;
      if (updates.length === 0) continue;
      for (const update of updates) await take(update);
      next = updates.at(-1)!.update_id + 1;
      await storage.set(`updates:${key}`, { next });
      reported.clear();
    } catch (cause) {
      if (signal.aborted) return;
      const { status: code = 0, message } = cause as Partial<HttpRefusal> & Error;
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
  if (!(cause instanceof HttpRefusal)) return Math.min(1_000 * 2 ** failures, LONGEST_PAUSE_MS);
  if (cause.retryAfterMs !== undefined) return cause.retryAfterMs;
  return Math.min((cause.status === 409 ? CONFLICT_PAUSE_MS : 1_000) * 2 ** failures, LONGEST_PAUSE_MS);
}

/** The first unprocessed update. */
function nextIn(stored: Json | undefined): number {
  return isObject(stored) && typeof stored["next"] === "number" ? stored["next"] : 0;
}

import { RecentMap } from "../../contract/common/recent-map.ts";
import type { ModelFailure } from "../../contract/providers/model.ts";
import type { ModelHealth } from "../../engine/ports.ts";

/** How long a way to a model rests after a failure. */
const REST_MS = 60_000;
/** After a failure that the user has to end: a key, an account, a name. */
const LONG_REST_MS = 300_000;
/** Each failed probe doubles the rest, up to this. */
const MAX_REST_MS = 600_000;
const MAX_WAYS = 256;

interface Past {
  readonly restsUntil: number;
  readonly restMs: number;
  readonly reason: string;
}

/** Remembers which ways to models failed lately, for all sessions of the process. */
export class ModelHealths {
  readonly #past = new RecentMap<string, Past>(MAX_WAYS);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @param way Names service, address, key and model. */
  of(way: string): ModelHealth {
    const past = this.#past;
    const now = this.#now;
    return {
      get state() {
        const { restsUntil } = past.get(way) ?? { restsUntil: undefined };
        return restsUntil === undefined ? "well" : now() < restsUntil ? "rests" : "probe";
      },
      get reason() {
        return past.get(way)?.reason ?? "";
      },
      failed(failure) {
        const before = past.get(way)?.restMs;
        const restMs = Math.max(
          before === undefined ? restOf(failure) : Math.min(before * 2, MAX_REST_MS),
          failure.retryAfterMs ?? 0,
        );
        past.set(way, { restsUntil: now() + restMs, restMs, reason: failure.message });
      },
      answered: () => void past.delete(way),
    };
  }
}

function restOf({ code }: ModelFailure): number {
  return code === "auth" || code === "billing" || code === "model_not_found" ? LONG_REST_MS : REST_MS;
}

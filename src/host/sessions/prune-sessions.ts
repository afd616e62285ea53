import { existsSync, statSync, writeFileSync } from "node:fs";
import type { SessionService } from "../../contract/services/session-service.ts";
import type { Clock } from "../../contract/common/clock.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Home } from "../environment/home.ts";

export interface PrunePorts {
  readonly home: Home;
  readonly config: (path: string) => Json | undefined;
  readonly sessions: Pick<SessionService, "prune">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Logger;
}

/**
 * `sessions.auto_prune`: deletes sessions unused for `retention_days`, at most once in `min_interval_hours`. Runs
 * when a process that used the store ends, so that no one waits for it. Never rejects.
 */
export async function pruneSessions({ home, config, sessions, clock, log }: PrunePorts): Promise<void> {
  const number = (value: Json | undefined, otherwise: number): number =>
    typeof value === "number" ? value : otherwise;
  const mark = home.file("cache", "sessions-pruned");
  const since = existsSync(mark) ? clock.now() - statSync(mark).mtimeMs : Number.POSITIVE_INFINITY;
  if (since < number(config("sessions.min_interval_hours"), 24) * 3_600_000) return;
  const days = number(config("sessions.retention_days"), 90);
  try {
    const gone = await sessions.prune({ olderThanMs: days * 86_400_000 });
    home.folder("cache");
    writeFileSync(mark, "");
    if (gone.length > 0)
      log.info(`Deleted ${gone.length} sessions that were not used for ${days} days.`, {
        sessions: gone.map(({ id }) => id),
      });
  } catch (cause) {
    log.warning("Old sessions could not be deleted", { cause });
  }
}

import { UserError } from "../../../contract/common/failure.ts";
import type { LogLevel } from "../../../contract/common/logger.ts";
import { numberIn, type Route } from "../route.ts";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warning", "error"];

/** Log lines, oldest first; with `follow` also new lines as they come. */
export const LOG_ROUTES: readonly Route[] = [
  {
    at: "GET /api/logs",
    answer({ app, query, signal }) {
      const name = query.get("name") ?? "agent";
      if (name !== "agent" && name !== "errors")
        throw new UserError(`There is no log "${name}".`, { hint: "The logs are agent and errors." });
      const level = query.get("level");
      const known = LEVELS.find((one) => one === level);
      if (level !== null && known === undefined)
        throw new UserError(`"${level}" is not a log level.`, { hint: `Use one of: ${LEVELS.join(", ")}.` });
      return {
        kind: "lines",
        values: app.logs({
          name,
          lines: numberIn(query, "lines", 200, 2_000),
          level: known,
          follow: query.get("follow") === "1",
          signal,
        }),
      };
    },
  },
];

import type { ConfigService } from "../../../contract/services/config-service.ts";
import type { Json } from "../../../contract/common/json.ts";

/** How an answer is shown while it is written. */
export interface StreamWays {
  /** Time between two edits of the message. */
  readonly everyMs: number;
  /** Shown at the end of the text until the answer is complete. */
  readonly cursor: string;
}

/**
 * Settings for a platform; `undefined`: do not stream. The platform's setting wins over `streaming`, which wins over
 * `gateway.streaming`.
 * @param minEveryMs The least time between two edits that the service allows.
 */
export function streamWays(
  config: Pick<ConfigService, "get" | "explain">,
  platform: string,
  minEveryMs = 0,
): StreamWays | undefined {
  const set = (path: string): Json | undefined =>
    config.explain(path).source === "default" ? undefined : config.get(path);
  const value = (key: string): Json | undefined =>
    set(`streaming.${key}`) ?? config.get(`gateway.streaming.${key}`) ?? config.get(`streaming.${key}`);
  const transport = value("transport");
  const mode = value("mode");
  const wanted =
    config.get(`display.platforms.${platform}.streaming`) ??
    (value("enabled") === true || (mode !== undefined && mode !== null));
  if (wanted !== true || transport === "off" || mode === "off") return undefined;
  const seconds = value("edit_interval");
  const cursor = value("cursor");
  return {
    everyMs: Math.max((typeof seconds === "number" ? seconds : 0.8) * 1000, minEveryMs),
    cursor: typeof cursor === "string" ? cursor : "",
  };
}

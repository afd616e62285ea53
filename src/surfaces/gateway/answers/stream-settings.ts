import type { ConfigService } from "../../../contract/services/config-service.ts";
import type { Json } from "../../../contract/common/json.ts";

/** How an answer is shown while it is written. */
export interface StreamWays {
  /** Between two changes of the message. */
  readonly everyMs: number;
  /** Stands at its end until it is whole. */
  readonly cursor: string;
}

/** For a chat of this platform; `undefined`: answers come whole. `streaming` counts before `gateway.streaming`, and a platform's own word before both. */
export function streamWays(config: Pick<ConfigService, "get" | "explain">, platform: string): StreamWays | undefined {
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
    everyMs: (typeof seconds === "number" ? seconds : 0.8) * 1000,
    cursor: typeof cursor === "string" ? cursor : "",
  };
}

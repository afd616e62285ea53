import { objectOf } from "../contract/is-object.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ModelInUse } from "../engine/ports.ts";
import { numberOf } from "./model-values.ts";

/** How long requests may take, where the entry of their service says so; what it says of the very model comes first. */
export function limitsOf(settings: JsonObject, model: string): ModelInUse["limits"] {
  const own = objectOf(objectOf(settings["models"])[model]);
  const total = numberOf(own["timeout_seconds"]) ?? numberOf(settings["request_timeout_seconds"]);
  const silence = numberOf(own["stale_timeout_seconds"]) ?? numberOf(settings["stale_timeout_seconds"]);
  if (total === undefined && silence === undefined) return undefined;
  return {
    ...(total === undefined ? {} : { totalMs: total * 1000 }),
    ...(silence === undefined ? {} : { firstEventMs: silence * 1000, betweenEventsMs: silence * 1000 }),
  };
}

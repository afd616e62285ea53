import type { ConfigService } from "../../contract/services/config-service.ts";
import { objectOf } from "../../contract/common/is-object.ts";
import type { ModelInUse } from "../../engine/ports.ts";
import { judgeAddress } from "../../safety/urls/judge-address.ts";
import { judgeName } from "../../safety/urls/local-names.ts";
import type { ModelChoice } from "./model-choice.ts";
import { numberOf } from "./model-values.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * Timeouts of a service that differ from the defaults: first those of the model's entry, then those of the service. A
 * local server needs minutes for a long request before its first token, so its default is longer.
 */
export function limitsOf(
  { settings, baseUrl, provider }: Pick<ModelChoice, "settings" | "baseUrl" | "provider">,
  model: string,
  config: Pick<ConfigService, "get" | "explain">,
): ModelInUse["limits"] {
  const own = objectOf(objectOf(settings["models"])[model]);
  const total = numberOf(own["timeout_seconds"]) ?? numberOf(settings["request_timeout_seconds"]);
  const silence = numberOf(own["stale_timeout_seconds"]) ?? numberOf(settings["stale_timeout_seconds"]);
  const atHand =
    silence === undefined && isAtHand(baseUrl ?? provider.baseUrl)
      ? (numberOf(config.get("agent.local_stream_stale_timeout")) ?? AT_HAND_SECONDS)
      : undefined;
  const silenceOf = (path: string): number | undefined =>
    silence ?? (atHand === undefined || isChosen(path, config) ? undefined : atHand);
  const first = silenceOf("agent.stream_read_timeout");
  const between = silenceOf("agent.stream_stale_timeout");
  if (total === undefined && first === undefined && between === undefined) return undefined;
  return definedFields({
    totalMs: total === undefined ? undefined : total * 1000,
    firstEventMs: first === undefined ? undefined : first * 1000,
    betweenEventsMs: between === undefined ? undefined : between * 1000,
  });
}

const AT_HAND_SECONDS = 900;

/** On this machine or its network. */
export function isAtHand(address: string | undefined): boolean {
  if (address === undefined || !URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  const { class: where } = judgeAddress(hostname);
  const place = where === "unusable" ? judgeName(hostname)?.class : where;
  return place === "loopback" || place === "private";
}

function isChosen(path: string, config: Pick<ConfigService, "explain">): boolean {
  const { source } = config.explain(path);
  return source !== "default" && source !== "unset";
}

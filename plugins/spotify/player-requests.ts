import { definedFields, ToolFailure, type JsonObject } from "hermes-agent/plugin";
import type { ApiRequest } from "./spotify-api.ts";
import { uriOf, urisOf } from "./spotify-ids.ts";

export interface PlaybackInput {
  readonly action: string;
  readonly device_id?: string | undefined;
  readonly market?: string | undefined;
  readonly context_uri?: string | undefined;
  readonly uris?: readonly string[] | undefined;
  readonly offset?: JsonObject | undefined;
  readonly position_ms?: number | undefined;
  readonly state?: string | boolean | undefined;
  readonly volume_percent?: number | undefined;
  readonly limit?: number | undefined;
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

const PLAYER = "/me/player";

export function playbackRequest(input: PlaybackInput): ApiRequest {
  const { action, market, device_id, position_ms } = input;
  const on = { device_id };
  switch (action) {
    case "get_state":
      return { method: "GET", path: PLAYER, query: { market } };
    case "get_currently_playing":
      return { method: "GET", path: `${PLAYER}/currently-playing`, query: { market } };
    case "recently_played":
      if (input.after !== undefined && input.before !== undefined) throw lacks("Use after or before, not both.");
      return {
        method: "GET",
        path: `${PLAYER}/recently-played`,
        query: { limit: limitOf(input.limit), after: input.after, before: input.before },
      };
    case "play":
      return { method: "PUT", path: `${PLAYER}/play`, query: on, body: whatToPlay(input) };
    case "pause":
      return { method: "PUT", path: `${PLAYER}/pause`, query: on };
    case "next":
    case "previous":
      return { method: "POST", path: `${PLAYER}/${action}`, query: on };
    case "seek":
      if (position_ms === undefined) throw lacks("seek needs position_ms.");
      return { method: "PUT", path: `${PLAYER}/seek`, query: { position_ms: Math.max(0, position_ms), ...on } };
    case "set_repeat":
      if (!["track", "context", "off"].includes(String(input.state)))
        throw lacks("set_repeat needs state: track, context or off.");
      return { method: "PUT", path: `${PLAYER}/repeat`, query: { state: String(input.state), ...on } };
    case "set_shuffle":
      return { method: "PUT", path: `${PLAYER}/shuffle`, query: { state: yesOrNo(input.state), ...on } };
    case "set_volume":
      if (input.volume_percent === undefined) throw lacks("set_volume needs volume_percent.");
      return {
        method: "PUT",
        path: `${PLAYER}/volume`,
        query: { volume_percent: Math.min(100, Math.max(0, input.volume_percent)), ...on },
      };
    default:
      throw lacks(`Unknown action "${action}".`);
  }
}

/** An empty body resumes playback. */
function whatToPlay({ context_uri, uris, offset, position_ms }: PlaybackInput): JsonObject {
  if (context_uri !== undefined && uris !== undefined && uris.length > 0)
    throw lacks("play takes context_uri or uris, not both.");
  const { position, uri } = offset ?? {};
  return {
    ...definedFields({
      context_uri: context_uri === undefined ? undefined : uriOf(context_uri),
      uris:
        uris === undefined || uris.length === 0
          ? undefined
          : [
              ...new Set(
                uris.map((one) =>
                  one.startsWith("spotify:") || one.startsWith("https:") ? uriOf(one) : uriOf(one, "track"),
                ),
              ),
            ],
    }),
    ...(typeof position === "number"
      ? { offset: { position } }
      : typeof uri === "string"
        ? { offset: { uri: uriOf(uri) } }
        : {}),
    ...definedFields({ position_ms: position_ms === undefined ? undefined : Math.max(0, position_ms) }),
  };
}

export function devicesRequest({
  action,
  device_id,
  play,
}: {
  readonly action: string;
  readonly device_id?: string | undefined;
  readonly play?: boolean | undefined;
}): ApiRequest {
  if (action === "list") return { method: "GET", path: `${PLAYER}/devices` };
  if (device_id === undefined || device_id.trim() === "")
    throw lacks("transfer needs device_id; action list shows the ids.");
  return { method: "PUT", path: PLAYER, body: { device_ids: [device_id.trim()], play: play ?? false } };
}

export function queueRequest({
  action,
  uri,
  device_id,
}: {
  readonly action: string;
  readonly uri?: string | undefined;
  readonly device_id?: string | undefined;
}): ApiRequest {
  if (action === "get") return { method: "GET", path: `${PLAYER}/queue` };
  return {
    method: "POST",
    path: `${PLAYER}/queue`,
    query: { uri: urisOf(uri === undefined ? undefined : [uri])[0]!, device_id },
  };
}

export function limitOf(given: number | undefined, otherwise = 20): number {
  return Math.min(50, Math.max(1, Math.trunc(given ?? otherwise)));
}

export function lacks(message: string): ToolFailure {
  return new ToolFailure("bad_arguments", message);
}

function yesOrNo(state: string | boolean | undefined): string {
  const word = String(state).trim().toLowerCase();
  if (["true", "on", "yes", "1"].includes(word)) return "true";
  if (["false", "off", "no", "0"].includes(word)) return "false";
  throw lacks("set_shuffle needs state: true or false.");
}

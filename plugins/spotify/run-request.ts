import { objectOf, type Json, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { askSpotify, type ApiRequest } from "./spotify-api.ts";
import { type TokenPorts, type Tokens } from "./tokens.ts";

/** Fields that are useless to a model: images, URLs and country lists; about half of an answer. */
const NOISE: ReadonlySet<string> = new Set([
  "available_markets",
  "images",
  "external_urls",
  "external_ids",
  "href",
  "preview_url",
  "copyrights",
  "linked_from",
  "video_thumbnail",
  "primary_color",
]);

/** A change returns only values that match this: ids, not text. */
const ID = /^[\w:+/=.,-]{1,200}$/;

const NOTHING: { readonly [action: string]: JsonObject } = {
  get_state: {
    has_active_device: false,
    message: "No Spotify device is active. The user can open Spotify on one, or spotify_devices can transfer playback.",
  },
  get_currently_playing: { is_playing: false, message: "Nothing is playing." },
};

/** Sends a tool's request and returns the result for the model. */
export async function runRequest(
  action: string,
  request: ApiRequest,
  tokens: Tokens,
  ports: Pick<TokenPorts, "env" | "fetch">,
  { signal }: Pick<ToolContext, "signal">,
): Promise<Json> {
  const answer = await askSpotify(request, tokens, ports, signal);
  if (request.method === "GET")
    return answer === undefined ? { success: true, action, ...NOTHING[action] } : withoutNoise(answer);
  const named = Object.entries(objectOf(answer)).filter(
    ([key, value]) => ["id", "uri", "snapshot_id"].includes(key) && typeof value === "string" && ID.test(value),
  );
  return { success: true, action, ...Object.fromEntries(named) };
}

function withoutNoise(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutNoise);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).flatMap(([key, one]) =>
      NOISE.has(key) || one === undefined ? [] : [[key, withoutNoise(one)]],
    ),
  );
}

import { objectOf, type Json, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { askSpotify, type ApiRequest } from "./spotify-api.ts";
import { type TokenPorts, type Tokens } from "./tokens.ts";

/** Half of an answer of Spotify: pictures, addresses and lists of countries, which say nothing to a model. */
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

/** Of what was changed no more is told than what names it; sentences do not. */
const ID = /^[\w:+/=.,-]{1,200}$/;

const NOTHING: { readonly [action: string]: JsonObject } = {
  get_state: {
    has_active_device: false,
    message: "No device plays Spotify now. Somebody opens Spotify on one, or spotify_devices transfers playback.",
  },
  get_currently_playing: { is_playing: false, message: "Spotify plays nothing now." },
};

/** Sends what a tool was asked for, and answers as a model reads it. */
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

import type { AnyTool } from "hermes-agent/plugin";
import type { PlaybackInput } from "./player-requests.ts";
import { NUMBER, spotifyTool, TEXT, TEXTS, type SpotifyPorts } from "./spotify-tool.ts";

/** Tools that control playback, devices and the queue. */
export function playerTools(ports: SpotifyPorts): readonly AnyTool[] {
  return [
    spotifyTool<PlaybackInput>(ports, {
      name: "spotify_playback",
      description: "Control playback; show what is playing and recently played tracks.",
      properties: {
        action: {
          type: "string",
          enum: [
            "get_state",
            "get_currently_playing",
            "play",
            "pause",
            "next",
            "previous",
            "seek",
            "set_repeat",
            "set_shuffle",
            "set_volume",
            "recently_played",
          ],
        },
        device_id: TEXT,
        market: TEXT,
        context_uri: { type: "string", description: "Album, playlist, artist" },
        uris: TEXTS,
        offset: { type: "object", description: "Start position in the context: {position} or {uri}" },
        position_ms: NUMBER,
        state: {
          type: ["string", "boolean"],
          description: "set_repeat: track, context, off; set_shuffle: true, false",
        },
        volume_percent: NUMBER,
        limit: NUMBER,
        after: { type: "integer", description: "Unix ms" },
        before: { type: "integer", description: "Unix ms" },
      },
      required: ["action"],
      reads: ["get_state", "get_currently_playing", "recently_played"],
      request: async (input) => (await import("./player-requests.ts")).playbackRequest(input),
    }),
    spotifyTool<{ readonly action: string; readonly device_id?: string; readonly play?: boolean }>(ports, {
      name: "spotify_devices",
      description: "List Spotify devices, or transfer playback to one.",
      properties: {
        action: { type: "string", enum: ["list", "transfer"] },
        device_id: TEXT,
        play: { type: "boolean" },
      },
      required: ["action"],
      reads: ["list"],
      request: async (input) => (await import("./player-requests.ts")).devicesRequest(input),
    }),
    spotifyTool<{ readonly action: string; readonly uri?: string; readonly device_id?: string }>(ports, {
      name: "spotify_queue",
      description: "Show the Spotify queue, or add to it.",
      properties: { action: { type: "string", enum: ["get", "add"] }, uri: TEXT, device_id: TEXT },
      required: ["action"],
      reads: ["get"],
      request: async (input) => (await import("./player-requests.ts")).queueRequest(input),
    }),
  ];
}

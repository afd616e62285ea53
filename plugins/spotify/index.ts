import type { CliIo, Json, JsonSchema, Plugin, Egress, ToolDefinition } from "hermes-agent/plugin";
import type { AlbumsInput, LibraryInput, PlaylistsInput, SearchInput } from "./catalogue-requests.ts";
import { COMMANDS } from "./commands.ts";
import type { PlaybackInput } from "./player-requests.ts";
import type { ApiRequest } from "./spotify-api.ts";
import type { Tokens } from "./tokens.ts";

const TEXT: JsonSchema = { type: "string" };
const NUMBER: JsonSchema = { type: "integer" };
const TEXTS: JsonSchema = { type: "array", items: TEXT };
const PAGE = { limit: NUMBER, offset: NUMBER, market: TEXT };

interface SpotifyTool<Input> {
  readonly name: string;
  readonly description: string;
  readonly properties: { readonly [name: string]: JsonSchema };
  readonly required: readonly string[];
  /** Actions that only read; every other action changes something. */
  readonly reads: readonly string[];
  request(input: Input): Promise<ApiRequest>;
  /** Default: only ids and numbers are sent. */
  egress?(input: Input): readonly Egress[];
}

/** The seven tools of a Spotify account, and its sign-in. */
const register: Plugin = (ctx) => {
  let tokens: Promise<Tokens> | undefined;
  const load = (): Promise<Tokens> => (tokens ??= import("./tokens.ts").then((module) => new module.Tokens(ctx)));

  function add<Input extends { readonly action?: string }>({
    name,
    description,
    properties,
    required,
    reads,
    request,
    egress,
  }: SpotifyTool<Input>): void {
    const isRead = ({ action = "search" }: Input): boolean => reads.includes(action);
    const tool: ToolDefinition<Input, Json> = {
      name,
      toolset: "spotify",
      emoji: "🎵",
      description,
      input: { type: "object", properties, required },
      timeoutMs: 60_000,
      available: (probe) =>
        probe.env("SPOTIFY_REFRESH_TOKEN") === undefined
          ? { ok: false, reason: "Not signed in to Spotify. Run: hermes auth spotify login" }
          : { ok: true },
      assess: (given) => ({
        effect: isRead(given) ? "read" : "write",
        touches: [],
        untrusted: isRead(given) && { source: "Spotify" },
        egress: egress?.(given) ?? [],
      }),
      async execute(given, call) {
        const { runRequest } = await import("./run-request.ts");
        return runRequest(given.action ?? "search", await request(given), await load(), ctx, call);
      },
    };
    ctx.tool(tool);
  }

  add<PlaybackInput>({
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
      state: { type: ["string", "boolean"], description: "set_repeat: track, context, off; set_shuffle: true, false" },
      volume_percent: NUMBER,
      limit: NUMBER,
      after: { type: "integer", description: "Unix ms" },
      before: { type: "integer", description: "Unix ms" },
    },
    required: ["action"],
    reads: ["get_state", "get_currently_playing", "recently_played"],
    request: async (input) => (await import("./player-requests.ts")).playbackRequest(input),
  });
  add<{ readonly action: string; readonly device_id?: string; readonly play?: boolean }>({
    name: "spotify_devices",
    description: "List Spotify devices, or transfer playback to one.",
    properties: { action: { type: "string", enum: ["list", "transfer"] }, device_id: TEXT, play: { type: "boolean" } },
    required: ["action"],
    reads: ["list"],
    request: async (input) => (await import("./player-requests.ts")).devicesRequest(input),
  });
  add<{ readonly action: string; readonly uri?: string; readonly device_id?: string }>({
    name: "spotify_queue",
    description: "Show the Spotify queue, or add to it.",
    properties: { action: { type: "string", enum: ["get", "add"] }, uri: TEXT, device_id: TEXT },
    required: ["action"],
    reads: ["get"],
    request: async (input) => (await import("./player-requests.ts")).queueRequest(input),
  });
  add<SearchInput & { readonly action?: string }>({
    name: "spotify_search",
    description: "Search Spotify for tracks, albums, artists, playlists, shows, episodes and audiobooks.",
    properties: {
      query: TEXT,
      types: { ...TEXTS, description: "Default track" },
      type: TEXT,
      ...PAGE,
      include_external: TEXT,
    },
    required: ["query"],
    reads: ["search"],
    request: async (input) => (await import("./catalogue-requests.ts")).searchRequest(input),
    egress: ({ query }) => [{ kind: "send", what: `Spotify: a search for "${query.slice(0, 200)}"` }],
  });
  add<PlaylistsInput>({
    name: "spotify_playlists",
    description: "Read, create and change the user's Spotify playlists.",
    properties: {
      action: { type: "string", enum: ["list", "get", "create", "add_items", "remove_items", "update_details"] },
      playlist_id: TEXT,
      ...PAGE,
      name: TEXT,
      description: TEXT,
      public: { type: "boolean" },
      collaborative: { type: "boolean" },
      uris: TEXTS,
      position: NUMBER,
      snapshot_id: TEXT,
    },
    required: ["action"],
    reads: ["list", "get"],
    request: async (input) => (await import("./catalogue-requests.ts")).playlistsRequest(input),
    egress: ({ action, name, description }) =>
      action === "create" || action === "update_details"
        ? [
            {
              kind: "send",
              what: `Spotify: a playlist named "${(name ?? "").slice(0, 200)}"${description === undefined ? "" : `, described as "${description.slice(0, 200)}"`}`,
            },
          ]
        : [],
  });
  add<AlbumsInput>({
    name: "spotify_albums",
    description: "Show a Spotify album or its tracks.",
    properties: { action: { type: "string", enum: ["get", "tracks"] }, album_id: TEXT, id: TEXT, ...PAGE },
    required: ["action"],
    reads: ["get", "tracks"],
    request: async (input) => (await import("./catalogue-requests.ts")).albumsRequest(input),
  });
  add<LibraryInput>({
    name: "spotify_library",
    description: "List, save and remove tracks and albums in the user's Spotify library.",
    properties: {
      kind: { type: "string", enum: ["tracks", "albums"] },
      action: { type: "string", enum: ["list", "save", "remove"] },
      ...PAGE,
      uris: TEXTS,
      ids: TEXTS,
      items: TEXTS,
    },
    required: ["kind", "action"],
    reads: ["list"],
    request: async (input) => (await import("./catalogue-requests.ts")).libraryRequest(input),
  });

  ctx.cli({
    name: "spotify",
    description: "Spotify: sign in, status, sign out",
    signsIn: true,
    input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
    raw: true,
    help: COMMANDS,
    run: async (input: { readonly words: readonly string[] }, io: CliIo) =>
      (await import("./spotify-command.ts")).spotifyCommand(ctx, input.words, io),
  });
};

export default register;

import type { AnyTool } from "hermes-agent/plugin";
import type { AlbumsInput, LibraryInput, PlaylistsInput, SearchInput } from "./catalogue-requests.ts";
import { NUMBER, PAGE, spotifyTool, TEXT, TEXTS, type SpotifyPorts } from "./spotify-tool.ts";

/** Tools that search the catalogue and work with playlists, albums and the library. */
export function catalogueTools(ports: SpotifyPorts): readonly AnyTool[] {
  return [
    spotifyTool<SearchInput & { readonly action?: string }>(ports, {
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
    }),
    spotifyTool<PlaylistsInput>(ports, {
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
    }),
    spotifyTool<AlbumsInput>(ports, {
      name: "spotify_albums",
      description: "Show a Spotify album or its tracks.",
      properties: { action: { type: "string", enum: ["get", "tracks"] }, album_id: TEXT, id: TEXT, ...PAGE },
      required: ["action"],
      reads: ["get", "tracks"],
      request: async (input) => (await import("./catalogue-requests.ts")).albumsRequest(input),
    }),
    spotifyTool<LibraryInput>(ports, {
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
    }),
  ];
}

import type { JsonObject } from "hermes-agent/plugin";
import { lacks, limitOf } from "./player-requests.ts";
import type { ApiRequest } from "./spotify-api.ts";
import { idOf, urisOf } from "./spotify-ids.ts";
import { definedFields } from "hermes-agent/plugin";

interface Page {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly market?: string | undefined;
}

export interface SearchInput extends Page {
  readonly query: string;
  readonly types?: readonly string[] | undefined;
  readonly type?: string | undefined;
  readonly include_external?: string | undefined;
}

const KINDS: ReadonlySet<string> = new Set(["album", "artist", "playlist", "track", "show", "episode", "audiobook"]);

export function searchRequest({
  query,
  types,
  type,
  limit,
  offset,
  market,
  include_external,
}: SearchInput): ApiRequest {
  if (query.trim() === "") throw lacks("The query is empty.");
  const asked = (types ?? (type === undefined ? ["track"] : type.split(","))).map((one) => one.trim().toLowerCase());
  const odd = asked.find((one) => !KINDS.has(one));
  if (odd !== undefined || asked.length === 0)
    throw lacks(`Search types are ${[...KINDS].join(", ")}${odd === undefined ? "" : `, not "${odd}"`}.`);
  return {
    method: "GET",
    path: "/search",
    query: {
      q: query.trim(),
      type: asked.join(","),
      limit: limitOf(limit, 10),
      offset: offsetOf(offset),
      market,
      include_external,
    },
  };
}

export interface PlaylistsInput extends Page {
  readonly action: string;
  readonly playlist_id?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly public?: boolean | undefined;
  readonly collaborative?: boolean | undefined;
  readonly uris?: readonly string[] | undefined;
  readonly position?: number | undefined;
  readonly snapshot_id?: string | undefined;
}

export function playlistsRequest(input: PlaylistsInput): ApiRequest {
  const { action, market, name, description, collaborative, position, snapshot_id } = input;
  if (action === "list") return { method: "GET", path: "/me/playlists", query: pageOf(input) };
  const details: JsonObject = definedFields({
    name,
    description,
    public: input.public,
    collaborative,
  });
  if (action === "create") {
    if (name === undefined || name.trim() === "") throw lacks("create needs a name.");
    // Default to private, so that an omission publishes nothing.
    return { method: "POST", path: "/me/playlists", body: { public: false, ...details } };
  }
  const path = `/playlists/${idOf(input.playlist_id, "playlist")}`;
  switch (action) {
    case "get":
      return { method: "GET", path, query: { market } };
    case "add_items":
      return {
        method: "POST",
        path: `${path}/items`,
        body: definedFields({ uris: urisOf(input.uris), position }),
      };
    case "remove_items":
      return {
        method: "DELETE",
        path: `${path}/items`,
        body: definedFields({
          items: urisOf(input.uris).map((uri) => ({ uri })),
          snapshot_id,
        }),
      };
    case "update_details":
      if (Object.keys(details).length === 0)
        throw lacks("update_details needs at least one of name, description, public and collaborative.");
      return { method: "PUT", path, body: details };
    default:
      throw lacks(`Unknown action "${action}".`);
  }
}

export interface AlbumsInput extends Page {
  readonly action: string;
  readonly album_id?: string | undefined;
  readonly id?: string | undefined;
}

export function albumsRequest(input: AlbumsInput): ApiRequest {
  const path = `/albums/${idOf(input.album_id ?? input.id, "album")}`;
  return input.action === "tracks"
    ? { method: "GET", path: `${path}/tracks`, query: { ...pageOf(input), market: input.market } }
    : { method: "GET", path, query: { market: input.market } };
}

export interface LibraryInput extends Page {
  readonly kind: string;
  readonly action: string;
  readonly uris?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly items?: readonly string[] | undefined;
}

export function libraryRequest(input: LibraryInput): ApiRequest {
  if (input.action === "list")
    return { method: "GET", path: `/me/${input.kind}`, query: { ...pageOf(input), market: input.market } };
  const uris = urisOf(
    [...(input.uris ?? []), ...(input.ids ?? []), ...(input.items ?? [])],
    input.kind === "tracks" ? "track" : "album",
  );
  return { method: input.action === "save" ? "PUT" : "DELETE", path: "/me/library", query: { uris: uris.join(",") } };
}

function pageOf({ limit, offset }: Page): { readonly limit: number; readonly offset: number } {
  return { limit: limitOf(limit), offset: offsetOf(offset) };
}

function offsetOf(given: number | undefined): number {
  return Math.max(0, Math.trunc(given ?? 0));
}

import { ToolFailure } from "hermes-agent/plugin";

const ID = /^[A-Za-z0-9]{1,64}$/;
const URI = /^spotify:(track|album|artist|playlist|show|episode|audiobook|chapter):([A-Za-z0-9]{1,64})$/;
const PAGE =
  /^https:\/\/open\.spotify\.com\/(?:intl-[a-z-]+\/)?(track|album|artist|playlist|show|episode|audiobook|chapter)\/([A-Za-z0-9]{1,64})\/?(?:[?#].*)?$/;
/** URI of a user's liked songs. */
const COLLECTION = /^spotify:(?:user:[A-Za-z0-9_.-]{1,64}:)?collection$/;

/** Parses an id of a kind from an id, `spotify:KIND:ID` or a page URL. */
export function idOf(text: string | undefined, kind: string): string {
  const given = (text ?? "").trim();
  if (given === "") throw bad(`The ${kind} id is missing.`);
  const { kind: found, id } = partsOf(given) ?? { kind, id: given };
  if (found !== kind) throw bad(`"${given}" is a ${found}, not a ${kind}.`);
  if (!ID.test(id)) throw bad(`"${given.slice(0, 100)}" is not a Spotify id.`);
  return id;
}

/** `spotify:KIND:ID`. @param kind The kind of a bare id; without it a full URI or a page URL is required. */
export function uriOf(text: string | undefined, kind?: string): string {
  const given = (text ?? "").trim();
  const parts = partsOf(given);
  if (parts !== undefined && (kind === undefined || parts.kind === kind)) return `spotify:${parts.kind}:${parts.id}`;
  if (kind !== undefined) return `spotify:${kind}:${idOf(text, kind)}`;
  if (COLLECTION.test(given)) return given;
  throw bad(given === "" ? "The Spotify URI is missing." : `"${given.slice(0, 100)}" is not a Spotify URI.`);
}

/** The URIs in order, without duplicates. */
export function urisOf(texts: readonly string[] | undefined, kind?: string): readonly string[] {
  const uris = [...new Set((texts ?? []).map((text) => uriOf(text, kind)))];
  if (uris.length === 0) throw bad("No Spotify items are given.");
  return uris;
}

function partsOf(text: string): { readonly kind: string; readonly id: string } | undefined {
  const [, kind, id] = URI.exec(text) ?? PAGE.exec(text) ?? [];
  return kind === undefined || id === undefined ? undefined : { kind, id };
}

export function bad(message: string): ToolFailure {
  return new ToolFailure("bad_arguments", message, {
    hint: "Use an id, spotify:track:ID, or a URL of open.spotify.com.",
  });
}

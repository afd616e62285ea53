import type { DatabaseFile } from "../facts/database-file.ts";
import { fromSeconds } from "./original-seconds.ts";
import { hasCjk, parseQuery, snippetOf, termsOf, toMatch, type SearchQuery, type Term } from "./search-query.ts";

export interface FoundText {
  readonly sessionId: string;
  readonly seq: number;
  readonly role: string;
  readonly at: number;
  readonly snippet: string;
}

/** Ranking every hit of a common word takes a second in a large store; the newest are what people look for. */
const NEWEST = 200;
/** One or two characters of a language without blanks: no index helps, so only this many texts are looked through. */
const LOOKED_THROUGH = 20_000;

/** Limits to the sessions of one user. */
const OF_ONE =
  "IN (SELECT messages.id FROM sessions JOIN messages ON messages.session_id = sessions.id WHERE sessions.whose = ?)";

/**
 * Newest first; among the newest hits, those with the exact phrase come before those with the words anywhere.
 * @param whose Only messages in the chats of this user.
 */
export function findTexts(file: DatabaseFile, words: string, limit: number, whose?: string): readonly FoundText[] {
  const query = parseQuery(words);
  const terms = termsOf(query);
  if (query.groups.length === 0 || limit <= 0) return [];
  const match = toMatch(query, { prefixes: true });
  const wordHits = terms.some(({ text }) => hasCjk(text)) ? [] : idsOf(file, "messages_fts", match, whose);
  const ids = new Set(wordHits);
  if (ids.size < limit) for (const id of pieceHits(file, query, whose)) ids.add(id);

  const newest = [...ids].sort((a, b) => b - a);
  const best = terms.length === 1 ? newest.slice(0, limit) : exactFirst(file, newest, terms).slice(0, limit);
  const byWords = new Set(wordHits);
  return best.flatMap((id) => {
    const row = file
      .statement("SELECT session_id, seq, role, timestamp, content FROM message_texts WHERE id = ?")
      .get(id);
    if (row === undefined) return [];
    const text = String(row["content"]);
    // SQLite's own snippet knows about accents, and costs a search for each.
    const snippet =
      snippetOf(text, terms, { whole: byWords.has(id) }) ??
      (byWords.has(id) ? wordSnippet(file, match, id) : text.slice(0, 240));
    return [
      {
        sessionId: String(row["session_id"]),
        seq: Number(row["seq"]),
        role: String(row["role"]),
        at: fromSeconds(Number(row["timestamp"])),
        snippet,
      },
    ];
  });
}

/** Texts that have the words as typed, then the others; each newest first. */
function exactFirst(file: DatabaseFile, newest: readonly number[], terms: readonly Term[]): readonly number[] {
  const phrase = terms
    .map(({ text }) => text)
    .join(" ")
    .toLowerCase();
  const exact = new Set(newest.filter((id) => textAt(file, id).toLowerCase().includes(phrase)));
  return [...newest.filter((id) => exact.has(id)), ...newest.filter((id) => !exact.has(id))];
}

function textAt(file: DatabaseFile, id: number): string {
  return String(file.statement("SELECT content FROM message_texts WHERE id = ?").get(id)?.["content"] ?? "");
}

/** Parts of words, and languages written without blanks. */
function pieceHits(file: DatabaseFile, query: SearchQuery, whose: string | undefined): readonly number[] {
  const terms = termsOf(query);
  if ([...terms, ...query.not].every(({ text }) => [...text].length >= 3))
    return idsOf(file, "messages_fts_trigram", toMatch(query, { prefixes: false }), whose);
  if (!terms.some(({ text }) => hasCjk(text))) return [];
  const conditions = query.groups
    .map((group) => `(${group.map(() => "content LIKE ? ESCAPE '\\'").join(" OR ")})`)
    .join(" AND ");
  return file.database
    .prepare(
      `SELECT id FROM (SELECT id, content FROM message_texts ${whose === undefined ? "" : `WHERE id ${OF_ONE}`} ORDER BY id DESC LIMIT ${LOOKED_THROUGH}) WHERE ${conditions} LIMIT ${NEWEST}`,
    )
    .all(...ofOne(whose), ...terms.map(({ text }) => `%${text.replace(/[\\%_]/g, "\\$&")}%`))
    .map((row) => Number(row["id"]));
}

function idsOf(
  file: DatabaseFile,
  table: "messages_fts" | "messages_fts_trigram",
  match: string,
  whose: string | undefined,
): readonly number[] {
  return file
    .statement(
      `SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ?${whose === undefined ? "" : ` AND rowid ${OF_ONE}`} ORDER BY rowid DESC LIMIT ${NEWEST}`,
    )
    .all(match, ...ofOne(whose))
    .map((row) => Number(row["id"]));
}

function ofOne(whose: string | undefined): readonly string[] {
  return whose === undefined ? [] : [whose];
}

function wordSnippet(file: DatabaseFile, match: string, id: number): string {
  const row = file
    .statement(
      "SELECT snippet(messages_fts, 0, '>>>', '<<<', '...', 40) AS snippet FROM messages_fts WHERE messages_fts MATCH ? AND rowid = ?",
    )
    .get(match, id);
  return String(row?.["snippet"] ?? "").replace(/\s+/g, " ");
}

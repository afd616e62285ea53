import type { DatabaseFile } from "./database-file.ts";
import { hasCjk, parseQuery, snippetOf, termsOf, toMatch, type SearchQuery } from "./search-query.ts";

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

/** Newest first; among the newest hits those with the words as typed come before those with the words anywhere. */
export function findTexts(file: DatabaseFile, words: string, limit: number): readonly FoundText[] {
  const query = parseQuery(words);
  const terms = termsOf(query);
  if (query.groups.length === 0 || limit <= 0) return [];
  const wordHits = terms.some(({ text }) => hasCjk(text)) ? [] : idsOf(file, "words", toMatch(query, { prefixes: true }));
  const ids = new Set(wordHits);
  if (ids.size < limit) for (const id of pieceHits(file, query)) ids.add(id);

  const phrase = terms.map(({ text }) => text).join(" ").toLowerCase();
  const found = [...ids].flatMap((id) => {
    const row = file.statement("SELECT * FROM texts WHERE id = ?").get(id);
    if (row === undefined) return [];
    const text = String(row["text"]);
    return [{ id, row, text, exact: terms.length > 1 && text.toLowerCase().includes(phrase) }];
  });
  found.sort((a, b) => Number(b.exact) - Number(a.exact) || b.id - a.id);
  return found.slice(0, limit).map(({ id, row, text }) => ({
    sessionId: String(row["session_id"]),
    seq: Number(row["seq"]),
    role: String(row["role"]),
    at: Number(row["at"]),
    snippet: (wordHits.includes(id) ? wordSnippet(file, query, id) : undefined) ?? snippetOf(text, terms.map((term) => term.text)),
  }));
}

/** Parts of words, and languages written without blanks. */
function pieceHits(file: DatabaseFile, query: SearchQuery): readonly number[] {
  const terms = termsOf(query);
  if ([...terms, ...query.not].every(({ text }) => [...text].length >= 3)) return idsOf(file, "parts", toMatch(query, { prefixes: false }));
  if (!terms.some(({ text }) => hasCjk(text))) return [];
  const like = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const conditions = query.groups.map((group) => `(${group.map(() => "text LIKE ? ESCAPE '\\'").join(" OR ")})`).join(" AND ");
  return file.database
    .prepare(`SELECT id FROM (SELECT id, text FROM texts ORDER BY id DESC LIMIT ${LOOKED_THROUGH}) WHERE ${conditions} LIMIT ${NEWEST}`)
    .all(...terms.map(({ text }) => like(text)))
    .map((row) => Number(row["id"]));
}

function idsOf(file: DatabaseFile, table: "words" | "parts", match: string): readonly number[] {
  return file
    .statement(`SELECT rowid AS id FROM ${table} WHERE ${table} MATCH ? ORDER BY rowid DESC LIMIT ${NEWEST}`)
    .all(match)
    .map((row) => Number(row["id"]));
}

function wordSnippet(file: DatabaseFile, query: SearchQuery, id: number): string | undefined {
  const row = file
    .statement("SELECT snippet(words, 0, '>>>', '<<<', '...', 40) AS snippet FROM words WHERE words MATCH ? AND rowid = ?")
    .get(toMatch(query, { prefixes: true }), id);
  return row === undefined ? undefined : String(row["snippet"]).replace(/\s+/g, " ");
}

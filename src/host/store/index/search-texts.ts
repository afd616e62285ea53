import type { DatabaseFile } from "../facts/database-file.ts";
import { fromSeconds } from "./original-seconds.ts";
import { piecePlans, wordMatchOf, wordPlan, type MatchPlan } from "./match-plan.ts";
import { textAt } from "./message-row.ts";
import { parseQuery, snippetOf, termsOf, type Term } from "./search-query.ts";

/** The best message of one session. */
export interface FoundText {
  readonly sessionId: string;
  readonly seq: number;
  readonly role: string;
  readonly at: number;
  readonly snippet: string;
}

export interface Searched {
  /** Search results, one entry a session. */
  readonly found: readonly FoundText[];
  /** More messages match than were looked at, so sessions may be missing: how many were. */
  readonly onlyNewest: number | undefined;
}

export interface SearchLimits {
  /** Sessions. */
  readonly limit: number;
  /** Only messages in the chats of this user. */
  readonly whose?: string;
  /** Only messages of these roles. */
  readonly roles?: ReadonlySet<string>;
}

/** Matching messages that are looked at, newest first: about 30 ms. */
const MOST_MATCHES = 20_000;
/** Messages of a session among which the best one is chosen. */
const COMPARED = 10;

const OF_ONE =
  "IN (SELECT messages.id FROM sessions JOIN messages ON messages.session_id = sessions.id WHERE sessions.whose = ?)";

interface Hit {
  readonly id: number;
  readonly role: string;
  readonly byWord: boolean;
}

/** Sessions with the exact phrase before those with the words anywhere; each newest first. */
export function findTexts(file: DatabaseFile, words: string, limits: SearchLimits): Searched {
  const query = parseQuery(words);
  const terms = termsOf(query);
  if (query.groups.length === 0 || limits.limit <= 0) return { found: [], onlyNewest: undefined };
  const sessions = new Map<string, Hit[]>();
  const byWord = wordPlan(query);
  let complete = byWord === undefined || collect(file, byWord, true, sessions, limits);
  if (sessions.size < limits.limit)
    for (const plan of piecePlans(query)) complete = collect(file, plan, false, sessions, limits) && complete;

  const phrase = terms
    .map(({ text }) => text)
    .join(" ")
    .toLowerCase();
  const isExact = ({ id }: Hit): boolean => terms.length === 1 || textAt(file, id).toLowerCase().includes(phrase);
  const best = [...sessions.values()].map((hits) => {
    const exact = hits.filter(isExact);
    const candidates = exact.length > 0 ? exact : hits;
    return {
      exact: exact.length > 0,
      newest: Math.max(...hits.map(({ id }) => id)),
      hit: candidates.find(isSpoken) ?? candidates[0]!,
    };
  });
  best.sort((a, b) => Number(b.exact) - Number(a.exact) || b.newest - a.newest);
  const wordMatch = wordMatchOf(query);
  return {
    found: best.slice(0, limits.limit).flatMap(({ hit }) => shown(file, hit, terms, wordMatch)),
    onlyNewest: complete || sessions.size >= limits.limit ? undefined : MOST_MATCHES,
  };
}

/** People read what was said more easily than calls and results. */
const isSpoken = ({ role }: Hit): boolean => role !== "tool";

/** Adds the hits of a plan's newest sessions. False when it stopped before the end for too many matches. */
function collect(
  file: DatabaseFile,
  { from, values, id }: MatchPlan,
  byWord: boolean,
  sessions: Map<string, Hit[]>,
  { limit, whose, roles }: SearchLimits,
): boolean {
  const rows = file.database
    .prepare(
      `SELECT m.id, m.session_id, iif(m.call_tool IS NULL, m.role, 'tool') AS role ${from}${whose === undefined ? "" : ` AND ${id} ${OF_ONE}`} ORDER BY ${id} DESC LIMIT ${MOST_MATCHES}`,
    )
    .iterate(...values, ...(whose === undefined ? [] : [whose]));
  const newest = new Set<string>();
  let looked = 0;
  for (const row of rows) {
    looked += 1;
    const role = String(row["role"]);
    if (roles !== undefined && !roles.has(role)) continue;
    const session = String(row["session_id"]);
    if (newest.size >= limit && !newest.has(session)) return true;
    newest.add(session);
    const hits = sessions.get(session);
    const hit: Hit = { id: Number(row["id"]), role, byWord };
    if (hits === undefined) sessions.set(session, [hit]);
    else if (hits.length < COMPARED && hits.every((other) => other.id !== hit.id)) {
      hits.push(hit);
      // A piece of a word may be newer than the word.
      if (!byWord) hits.sort((a, b) => Number(b.byWord) - Number(a.byWord) || b.id - a.id);
    }
  }
  return looked < MOST_MATCHES;
}

function shown(
  file: DatabaseFile,
  { id, byWord }: Hit,
  terms: readonly Term[],
  wordMatch: string,
): readonly FoundText[] {
  const row = file
    .statement("SELECT session_id, seq, role, timestamp, content FROM message_texts WHERE id = ?")
    .get(id);
  if (row === undefined) return [];
  const text = String(row["content"]);
  // SQLite's own snippet knows about accents, and costs a search for each.
  const snippet =
    snippetOf(text, terms, { whole: byWord }) ?? (byWord ? wordSnippet(file, wordMatch, id) : text.slice(0, 240));
  return [
    {
      sessionId: String(row["session_id"]),
      seq: Number(row["seq"]),
      role: String(row["role"]),
      at: fromSeconds(Number(row["timestamp"])),
      snippet,
    },
  ];
}

function wordSnippet(file: DatabaseFile, match: string, id: number): string {
  const row = file
    .statement(
      "SELECT snippet(messages_fts, 0, '>>>', '<<<', '...', 40) AS snippet FROM messages_fts WHERE messages_fts MATCH ? AND rowid = ?",
    )
    .get(match, id);
  return String(row?.["snippet"] ?? "").replace(/\s+/g, " ");
}

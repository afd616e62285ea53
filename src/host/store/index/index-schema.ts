import type { Database } from "../facts/sqlite.ts";
import { APPLICATION_ID } from "../facts/store-files.ts";

/** Another number means another layout: the file is then rebuilt. */
export const INDEX_VERSION = 5;

/**
 * Of the original's layouts the last whose columns are all here, under their names and with their meaning; what is not
 * known is NULL. Its readers look for it in the table of that name.
 */
const ORIGINALS_VERSION = 11;

/**
 * Times are the original's: seconds. `messages` holds what can be searched, its ids are those of the facts.
 * `messages_fts` finds words, `messages_fts_trigram` finds pieces of words and languages written without blanks; both
 * read their text out of `message_texts` and hold no second copy of it. `messages_fts_short` finds single characters
 * and pairs, see short-grams.ts. Other programs read this file with the SQLite
 * they have, so nothing here needs a newer one than 3.38; but for full text out of which something was deleted for
 * good, which needs 3.42.
 */
const SCHEMA = `
  CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
  INSERT INTO schema_version VALUES (${ORIGINALS_VERSION});
  CREATE TABLE state_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL DEFAULT '',
    user_id TEXT,
    model TEXT,
    model_config TEXT,
    system_prompt TEXT,
    parent_session_id TEXT,
    started_at REAL NOT NULL,
    ended_at REAL,
    end_reason TEXT,
    message_count INTEGER NOT NULL DEFAULT 0,
    tool_call_count INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cache_read_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    billing_provider TEXT,
    billing_base_url TEXT,
    billing_mode TEXT,
    estimated_cost_usd REAL,
    actual_cost_usd REAL,
    cost_status TEXT,
    cost_source TEXT,
    pricing_version TEXT,
    title TEXT,
    api_call_count INTEGER NOT NULL DEFAULT 0,
    -- Ours from here on. Messages of people and models alone are counted in spoken_count.
    cwd TEXT NOT NULL DEFAULT '',
    last_active REAL NOT NULL,
    turn_count INTEGER NOT NULL DEFAULT 0,
    spoken_count INTEGER NOT NULL DEFAULT 0,
    preview TEXT NOT NULL DEFAULT '',
    open_turn TEXT,
    whose TEXT
  ) STRICT;
  CREATE INDEX sessions_by_time ON sessions (last_active DESC);
  CREATE INDEX sessions_by_source ON sessions (source, last_active DESC);
  CREATE INDEX sessions_by_whose ON sessions (whose, last_active DESC) WHERE whose IS NOT NULL;
  CREATE INDEX sessions_by_title ON sessions (title COLLATE NOCASE) WHERE title IS NOT NULL;
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    tool_call_id TEXT,
    tool_calls TEXT AS (iif(call_tool IS NULL, NULL, json_array(json_object('id', call_id, 'type', 'function', 'function', json_object('name', call_tool, 'arguments', call_arguments))))) VIRTUAL,
    tool_name TEXT,
    timestamp REAL NOT NULL,
    token_count INTEGER,
    finish_reason TEXT,
    reasoning TEXT,
    reasoning_content TEXT,
    reasoning_details TEXT,
    codex_reasoning_items TEXT,
    codex_message_items TEXT,
    -- Ours from here on: the fact's place in its session, and the call that a row is about.
    seq INTEGER NOT NULL,
    call_id TEXT,
    call_tool TEXT,
    call_arguments TEXT
  ) STRICT;
  CREATE INDEX messages_by_session ON messages (session_id);
  CREATE VIEW message_texts AS
    SELECT id, session_id, seq, timestamp,
      iif(call_tool IS NULL, role, 'tool') AS role,
      iif(call_tool IS NULL, content, call_tool || ' ' || call_arguments) AS content
    FROM messages;
  CREATE VIRTUAL TABLE messages_fts USING fts5 (content, content = 'message_texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE messages_fts_trigram USING fts5 (content, content = 'message_texts', content_rowid = 'id', tokenize = 'trigram');
  CREATE VIRTUAL TABLE messages_fts_short USING fts5 (grams, content = '', detail = 'none', columnsize = 0, tokenize = 'ascii');
  INSERT INTO messages_fts (messages_fts, rank) VALUES ('secure-delete', 1);
  INSERT INTO messages_fts_short (messages_fts_short, rank) VALUES ('secure-delete', 1);
  INSERT INTO messages_fts_trigram (messages_fts_trigram, rank) VALUES ('secure-delete', 1);
`;

export function prepareIndex(database: Database): void {
  const version = Number(Object.values(database.prepare("PRAGMA user_version").get() ?? {})[0]);
  if (version !== 0 && version !== INDEX_VERSION) throw new OtherLayout();
  if (version === 0) {
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE`);
    try {
      if (Number(Object.values(database.prepare("PRAGMA user_version").get() ?? {})[0]) === 0) {
        database.exec(SCHEMA);
        database.exec(`PRAGMA user_version = ${INDEX_VERSION}`);
      }
      database.exec("COMMIT");
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  }
  // A copy may lose its last steps with the power; it catches up.
  database.exec("PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
}

/** Another version created the file; it is deleted and rebuilt. */
export class OtherLayout extends Error {}

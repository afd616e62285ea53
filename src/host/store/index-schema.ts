import type { Database } from "./sqlite.ts";
import { APPLICATION_ID } from "./store-files.ts";

/** Another number is another layout: the file is then made anew. */
export const INDEX_VERSION = 3;

/**
 * `texts` holds what can be searched, its ids are those of the facts. `words` finds words, `parts` finds pieces of words and
 * languages written without blanks; both point into `texts` and hold no second copy of it.
 */
const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    title TEXT,
    surface TEXT NOT NULL DEFAULT '',
    cwd TEXT NOT NULL DEFAULT '',
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    turns INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    tool_calls INTEGER NOT NULL DEFAULT 0,
    api_call_count INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    cost_usd REAL,
    model TEXT,
    preview TEXT NOT NULL DEFAULT '',
    open_turn TEXT,
    parent_id TEXT,
    whose TEXT
  ) STRICT;
  CREATE INDEX sessions_by_time ON sessions (last_at DESC);
  CREATE INDEX sessions_by_surface ON sessions (surface, last_at DESC);
  CREATE INDEX sessions_by_whose ON sessions (whose, last_at DESC) WHERE whose IS NOT NULL;
  CREATE INDEX sessions_by_title ON sessions (title COLLATE NOCASE) WHERE title IS NOT NULL;
  CREATE TABLE texts (id INTEGER PRIMARY KEY, session_id TEXT NOT NULL, seq INTEGER NOT NULL, role TEXT NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX texts_by_session ON texts (session_id);
  CREATE VIRTUAL TABLE words USING fts5 (text, content = 'texts', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE parts USING fts5 (text, content = 'texts', content_rowid = 'id', tokenize = 'trigram');
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
  INSERT INTO parts (parts, rank) VALUES ('secure-delete', 1);
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

/** The file was made by another version; it is deleted and made anew. */
export class OtherLayout extends Error {}

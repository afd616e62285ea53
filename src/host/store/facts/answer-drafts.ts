import type { AnswerDraft } from "../../../contract/conversation/store.ts";
import type { DatabaseFile } from "./database-file.ts";

/** One row a session. The table is made with the first draft; the store's format stays what it is. */
const SCHEMA =
  "CREATE TABLE IF NOT EXISTS answer_drafts (session_id TEXT PRIMARY KEY, request_id TEXT NOT NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID";

export function saveDraft(file: DatabaseFile, sessionId: string, { requestId, text }: AnswerDraft): void {
  if (!hasDrafts(file)) file.database.exec(SCHEMA);
  file
    .statement(
      "INSERT INTO answer_drafts VALUES (?1, ?2, ?3) ON CONFLICT (session_id) DO UPDATE SET request_id = ?2, text = ?3",
    )
    .run(sessionId, requestId, text);
}

export function draftOf(file: DatabaseFile, sessionId: string): AnswerDraft | undefined {
  if (!hasDrafts(file)) return undefined;
  const row = file.statement("SELECT request_id, text FROM answer_drafts WHERE session_id = ?").get(sessionId);
  return row === undefined ? undefined : { requestId: String(row["request_id"]), text: String(row["text"]) };
}

export function removeDraft(file: DatabaseFile, sessionId: string): void {
  if (hasDrafts(file)) file.statement("DELETE FROM answer_drafts WHERE session_id = ?").run(sessionId);
}

function hasDrafts(file: DatabaseFile): boolean {
  return file.statement("SELECT 1 FROM sqlite_schema WHERE name = 'answer_drafts'").get() !== undefined;
}

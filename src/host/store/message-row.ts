import { shownOf } from "../../contract/outcome.ts";
import { textOf } from "../../contract/part.ts";
import type { Fact } from "../../contract/fact.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { Change } from "./sqlite-store.ts";

const SPOKEN_CHARS = 32_000;
const RESULT_CHARS = 4_000;
const ARGUMENT_CHARS = 1_000;

/** Takes the words of one fact into the search. */
export function indexFact(file: DatabaseFile, { id, sessionId, recorded }: Change): void {
  const found = searchable(recorded.fact);
  if (found === undefined || found.text.trim() === "") return;
  file.statement("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?)").run(id, sessionId, recorded.seq, found.role, recorded.at, found.text);
  file.statement("INSERT INTO words (rowid, text) VALUES (?, ?)").run(id, found.text);
  file.statement("INSERT INTO parts (rowid, text) VALUES (?, ?)").run(id, found.text);
}

function searchable(fact: Fact): { readonly role: string; readonly text: string } | undefined {
  switch (fact.type) {
    case "message.added":
      return { role: "user", text: textOf(fact.parts).slice(0, SPOKEN_CHARS) };
    case "model.answered":
      return { role: "assistant", text: textOf(fact.parts).slice(0, SPOKEN_CHARS) };
    case "tool.called":
      return { role: "tool", text: `${fact.tool} ${fact.args === undefined ? "" : JSON.stringify(fact.args).slice(0, ARGUMENT_CHARS)}` };
    case "tool.settled":
      return { role: "tool", text: textOf(shownOf(fact.outcome)).slice(0, RESULT_CHARS) };
    case "session.titled":
      return { role: "title", text: fact.title };
    case "context.compacted":
      return { role: "summary", text: fact.summary.slice(0, SPOKEN_CHARS) };
    default:
      return undefined;
  }
}

/** Takes a session out of the search. */
export function dropMessages(file: DatabaseFile, sessionId: string): void {
  for (const row of file.statement("SELECT id, text FROM texts WHERE session_id = ?").all(sessionId)) {
    for (const table of ["words", "parts"]) file.statement(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`).run(row["id"] ?? 0, row["text"] ?? "");
  }
  file.statement("DELETE FROM texts WHERE session_id = ?").run(sessionId);
}

import { shownOf } from "../../contract/outcome.ts";
import { textOf } from "../../contract/part.ts";
import type { Fact } from "../../contract/fact.ts";
import type { DatabaseFile } from "./database-file.ts";
import type { Change } from "./sqlite-store.ts";

/** What a fact adds to the session list, as assignments on its row. Sums grow, the rest is replaced. */
const STEPS = {
  touched: "UPDATE sessions SET last_at = max(last_at, ?2) WHERE id = ?1",
  started: "UPDATE sessions SET last_at = ?2, started_at = ?2, surface = ?3, cwd = ?4, parent_id = ?5, whose = ?6 WHERE id = ?1",
  titled: "UPDATE sessions SET title = ?2 WHERE id = ?1",
  modelChosen: "UPDATE sessions SET last_at = max(last_at, ?2), model = ?3 WHERE id = ?1",
  modelAsked: "UPDATE sessions SET last_at = max(last_at, ?2), model = ?3, api_call_count = api_call_count + 1 WHERE id = ?1",
  turnStarted: "UPDATE sessions SET last_at = max(last_at, ?2), turns = turns + 1, open_turn = ?3 WHERE id = ?1",
  turnEnded: "UPDATE sessions SET last_at = max(last_at, ?2), open_turn = NULL WHERE id = ?1",
  message: "UPDATE sessions SET last_at = max(last_at, ?2), messages = messages + 1, preview = iif(preview = '', ?3, preview) WHERE id = ?1",
  answer: "UPDATE sessions SET last_at = max(last_at, ?2), messages = messages + 1, input_tokens = input_tokens + ?3, output_tokens = output_tokens + ?4, cost_usd = iif(?5 IS NULL, cost_usd, ifnull(cost_usd, 0) + ?5) WHERE id = ?1",
  toolCalled: "UPDATE sessions SET last_at = max(last_at, ?2), tool_calls = tool_calls + 1 WHERE id = ?1",
} as const;

const PREVIEW_CHARS = 80;

/** Takes one fact into the session list. */
export function listFact(file: DatabaseFile, { sessionId, recorded }: Change): void {
  const { fact, at } = recorded;
  const step = (name: keyof typeof STEPS, ...values: (string | number | null)[]): void => {
    const known = file.statement(STEPS[name]).run(sessionId, ...values).changes;
    if (Number(known) > 0) return;
    file.statement("INSERT INTO sessions (id, started_at, last_at) VALUES (?1, ?2, ?2)").run(sessionId, at);
    file.statement(STEPS[name]).run(sessionId, ...values);
  };
  switch (fact.type) {
    case "session.started":
      return step("started", at, fact.surface, fact.cwd, fact.parent?.sessionId ?? null, fact.whose ?? null);
    case "session.titled":
      // A new name is not new work: the session keeps its place in the list.
      return step("titled", fact.title);
    case "model.chosen":
      return step("modelChosen", at, fact.model);
    case "model.asked":
      return step("modelAsked", at, fact.model);
    case "turn.started":
      return step("turnStarted", at, fact.turnId);
    case "turn.ended":
      return step("turnEnded", at);
    case "message.added":
      return step("message", at, fact.origin === "person" || fact.origin === "model" ? textOf(fact.parts).replace(/\s+/g, " ").trim().slice(0, PREVIEW_CHARS) : "");
    case "model.answered":
      return step("answer", at, fact.usage.inputTokens, fact.usage.outputTokens, fact.costUsd ?? null);
    case "tool.called":
      return step("toolCalled", at);
    default:
      // Most facts only say that something happened; one that follows the last by less than a second adds nothing a list shows.
      return step("touched", at);
  }
}

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

/** Takes a session out of list and search. */
export function dropSession(file: DatabaseFile, sessionId: string): void {
  for (const row of file.statement("SELECT id, text FROM texts WHERE session_id = ?").all(sessionId)) {
    for (const table of ["words", "parts"]) file.statement(`INSERT INTO ${table} (${table}, rowid, text) VALUES ('delete', ?, ?)`).run(row["id"] ?? 0, row["text"] ?? "");
  }
  file.statement("DELETE FROM texts WHERE session_id = ?").run(sessionId);
  file.statement("DELETE FROM sessions WHERE id = ?").run(sessionId);
}

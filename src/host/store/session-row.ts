import { textOf } from "../../contract/part.ts";
import type { SessionSummary } from "../../contract/session-desk.ts";
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

/** Takes a session out of the list. */
export function dropSession(file: DatabaseFile, sessionId: string): void {
  file.statement("DELETE FROM sessions WHERE id = ?").run(sessionId);
}

/** What a list shows of a row. */
export function toSummary(row: { readonly [column: string]: unknown }): SessionSummary {
  const text = (column: string) => (row[column] === null ? undefined : String(row[column]));
  return {
    id: String(row["id"]),
    title: text("title"),
    surface: String(row["surface"]),
    cwd: String(row["cwd"]),
    startedAt: Number(row["started_at"]),
    lastAt: Number(row["last_at"]),
    turns: Number(row["turns"]),
    messages: Number(row["messages"]),
    toolCalls: Number(row["tool_calls"]),
    apiCalls: Number(row["api_call_count"]),
    inputTokens: Number(row["input_tokens"]),
    outputTokens: Number(row["output_tokens"]),
    costUsd: row["cost_usd"] === null ? undefined : Number(row["cost_usd"]),
    model: text("model"),
    preview: String(row["preview"]),
    interrupted: row["open_turn"] !== null,
    parentId: text("parent_id"),
    ...(text("whose") === undefined ? {} : { whose: text("whose")! }),
  };
}

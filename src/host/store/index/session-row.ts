import { textOf } from "../../../contract/conversation/part.ts";
import type { Usage } from "../../../contract/providers/model.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { fromSeconds, toSeconds } from "./original-seconds.ts";
import type { Change } from "../facts/sqlite-store.ts";

/** The effect of a fact on the session list, as assignments on its row. Sums grow, the rest is replaced. */
const STEPS = {
  touched: "UPDATE sessions SET last_active = max(last_active, ?2) WHERE id = ?1",
  started:
    "UPDATE sessions SET last_active = ?2, started_at = ?2, source = ?3, cwd = ?4, parent_session_id = ?5, whose = ?6 WHERE id = ?1",
  titled: "UPDATE sessions SET title = ?2 WHERE id = ?1",
  modelChosen: "UPDATE sessions SET last_active = max(last_active, ?2), model = ?3 WHERE id = ?1",
  modelAsked:
    "UPDATE sessions SET last_active = max(last_active, ?2), model = ?3, api_call_count = api_call_count + 1 WHERE id = ?1",
  turnStarted:
    "UPDATE sessions SET last_active = max(last_active, ?2), turn_count = turn_count + 1, open_turn = ?3 WHERE id = ?1",
  turnEnded: "UPDATE sessions SET last_active = max(last_active, ?2), open_turn = NULL WHERE id = ?1",
  message:
    "UPDATE sessions SET last_active = max(last_active, ?2), message_count = message_count + 1, spoken_count = spoken_count + 1, preview = iif(preview = '', ?3, preview) WHERE id = ?1",
  answer:
    "UPDATE sessions SET last_active = max(last_active, ?2), message_count = message_count + 1, spoken_count = spoken_count + 1, input_tokens = input_tokens + ?3, output_tokens = output_tokens + ?4, cache_read_tokens = cache_read_tokens + ?5, cache_write_tokens = cache_write_tokens + ?6, reasoning_tokens = reasoning_tokens + ?7, estimated_cost_usd = iif(?8 IS NULL, estimated_cost_usd, ifnull(estimated_cost_usd, 0) + ?8) WHERE id = ?1",
  toolCalled:
    "UPDATE sessions SET last_active = max(last_active, ?2), tool_call_count = tool_call_count + 1 WHERE id = ?1",
  toolSettled:
    "UPDATE sessions SET last_active = max(last_active, ?2), message_count = message_count + 1 WHERE id = ?1",
} as const;

const PREVIEW_CHARS = 80;

/** Takes one fact into the session list. */
export function listFact(file: DatabaseFile, { sessionId, recorded }: Change): void {
  const { fact } = recorded;
  const at = toSeconds(recorded.at);
  const step = (name: keyof typeof STEPS, ...values: (string | number | null)[]): void => {
    const known = file.statement(STEPS[name]).run(sessionId, ...values).changes;
    if (Number(known) > 0) return;
    file.statement("INSERT INTO sessions (id, started_at, last_active) VALUES (?1, ?2, ?2)").run(sessionId, at);
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
      return step(
        "message",
        at,
        fact.origin === "person" || fact.origin === "model"
          ? textOf(fact.parts).replace(/\s+/g, " ").trim().slice(0, PREVIEW_CHARS)
          : "",
      );
    case "model.answered":
      return step(
        "answer",
        at,
        uncached(fact.usage),
        fact.usage.outputTokens,
        fact.usage.cacheReadTokens,
        fact.usage.cacheWriteTokens,
        fact.usage.reasoningTokens,
        fact.costUsd ?? null,
      );
    case "tool.called":
      return step("toolCalled", at);
    case "tool.settled":
      return step("toolSettled", at);
    default:
      // Most facts only say that something happened; one that follows the last by less than a second adds nothing a
      // list shows.
      return step("touched", at);
  }
}

/** The original counts input without cached tokens. */
function uncached({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens - cacheReadTokens - cacheWriteTokens;
}

/** Takes a session out of the list. */
export function dropSession(file: DatabaseFile, sessionId: string): void {
  file.statement("DELETE FROM sessions WHERE id = ?").run(sessionId);
}

/** What `toSummary` reads; the original's columns are many. */
export const LISTED =
  "id, title, source, cwd, started_at, last_active, turn_count, spoken_count, tool_call_count, api_call_count, input_tokens + cache_read_tokens + cache_write_tokens AS all_input_tokens, output_tokens, estimated_cost_usd, model, preview, open_turn, parent_session_id, whose";

/** The listed columns of a row. */
export function toSummary(row: { readonly [column: string]: unknown }): SessionSummary {
  const text = (column: string) => (row[column] === null ? undefined : String(row[column]));
  return {
    id: String(row["id"]),
    title: text("title"),
    surface: String(row["source"]),
    cwd: String(row["cwd"]),
    startedAt: fromSeconds(Number(row["started_at"])),
    lastAt: fromSeconds(Number(row["last_active"])),
    turns: Number(row["turn_count"]),
    messages: Number(row["spoken_count"]),
    toolCalls: Number(row["tool_call_count"]),
    apiCalls: Number(row["api_call_count"]),
    inputTokens: Number(row["all_input_tokens"]),
    outputTokens: Number(row["output_tokens"]),
    costUsd: row["estimated_cost_usd"] === null ? undefined : Number(row["estimated_cost_usd"]),
    model: text("model"),
    preview: String(row["preview"]),
    interrupted: row["open_turn"] !== null,
    parentId: text("parent_session_id"),
    whose: text("whose"),
  };
}

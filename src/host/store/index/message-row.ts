import type { Fact } from "../../../contract/conversation/fact.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { shownOf } from "../../../contract/tools/outcome.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { DatabaseFile } from "../facts/database-file.ts";
import { toSeconds } from "./original-seconds.ts";
import type { Change } from "../facts/sqlite-store.ts";
import { shortGrams } from "./short-grams.ts";

/** In columns of the original. Each call has its own row: the text of an answer and its calls are several facts. */
interface MessageRow {
  /** The original's `user`, `assistant` and `tool`, and two of ours. */
  readonly role: "user" | "assistant" | "tool" | "title" | "summary";
  readonly content: string;
  /** The call whose result this message is. */
  readonly resultOf?: string;
  readonly call?: { readonly id: string; readonly tool: string; readonly args: string };
  readonly finish?: string;
}

const SPOKEN_CHARS = 32_000;
const RESULT_CHARS = 4_000;
const ARGUMENT_CHARS = 1_000;

const INSERT =
  "INSERT INTO messages (id, session_id, role, content, tool_call_id, tool_name, timestamp, finish_reason, seq, call_id, call_tool, call_arguments) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/**
 * One row a statement: for one that may bring many, FTS5 writes out what it has gathered, which costs twice the time.
 */
const TEXT = "(SELECT content FROM message_texts WHERE id = ?1)";
const FULL_TEXT = ["messages_fts", "messages_fts_trigram"].map((table) => ({
  add: `INSERT INTO ${table} (rowid, content) VALUES (?1, ${TEXT})`,
  drop: `INSERT INTO ${table} (${table}, rowid, content) VALUES ('delete', ?1, ${TEXT})`,
}));

const SHORT = {
  add: "INSERT INTO messages_fts_short (rowid, grams) VALUES (?, ?)",
  drop: "INSERT INTO messages_fts_short (messages_fts_short, rowid, grams) VALUES ('delete', ?, ?)",
};

/** Takes the words of one fact into the search. */
export function indexFact(file: DatabaseFile, { id, sessionId, recorded }: Change): void {
  if (recorded.fact.type === "turns.undone") return dropMessages(file, sessionId, recorded.fact.from);
  const row = rowOf(recorded.fact);
  if (row === undefined || (row.call === undefined && row.content.trim() === "")) return;
  const { role, content, call, resultOf, finish } = row;
  const tool = resultOf === undefined ? null : toolOf(file, sessionId, resultOf);
  file
    .statement(INSERT)
    .run(
      id,
      sessionId,
      role,
      content,
      resultOf ?? null,
      tool,
      toSeconds(recorded.at),
      finish ?? null,
      recorded.seq,
      call?.id ?? null,
      call?.tool ?? null,
      call?.args ?? null,
    );
  for (const { add } of FULL_TEXT) file.statement(add).run(id);
  const grams = shortGrams(textAt(file, id));
  if (grams !== "") file.statement(SHORT.add).run(id, grams);
}

/** As the search sees it: of a call, its name and arguments. */
export function textAt(file: DatabaseFile, id: number): string {
  return String(file.statement("SELECT content FROM message_texts WHERE id = ?").get(id)?.["content"] ?? "");
}

function rowOf(fact: Fact): MessageRow | undefined {
  switch (fact.type) {
    case "message.added":
      return { role: "user", content: textOf(fact.parts).slice(0, SPOKEN_CHARS) };
    case "model.answered":
      return { role: "assistant", content: textOf(fact.parts).slice(0, SPOKEN_CHARS), finish: FINISH[fact.finish] };
    case "model.failed":
      return fact.text === undefined ? undefined : { role: "assistant", content: fact.text.slice(0, SPOKEN_CHARS) };
    case "tool.called":
      return {
        role: "assistant",
        content: "",
        call: { id: fact.callId, tool: fact.tool, args: shortened(fact.args ?? {}) },
      };
    case "tool.settled":
      return { role: "tool", content: textOf(shownOf(fact.outcome)).slice(0, RESULT_CHARS), resultOf: fact.callId };
    case "session.titled":
      return { role: "title", content: fact.title };
    case "context.compacted":
      return { role: "summary", content: fact.summary.slice(0, SPOKEN_CHARS) };
    default:
      return undefined;
  }
}

const FINISH = { stop: "stop", "tool-calls": "tool_calls", length: "length", filter: "content_filter" } as const;

/** Whole where they are short; else without the ends of their texts, and still the JSON that readers expect. */
function shortened(args: JsonObject): string {
  const whole = JSON.stringify(args);
  if (whole.length <= ARGUMENT_CHARS) return whole;
  let left = ARGUMENT_CHARS;
  return JSON.stringify(args, (key, value: Json) => {
    if (left <= 0) return undefined;
    left -= key.length + (typeof value === "string" ? value.length : 1);
    if (Array.isArray(value)) return value.slice(0, Math.max(0, left));
    return typeof value === "string" && left < 0 ? value.slice(0, left) : value;
  });
}

/** A result follows its call closely, so the search from the end is short. */
function toolOf(file: DatabaseFile, sessionId: string, callId: string): string | null {
  const row = file
    .statement("SELECT call_tool FROM messages WHERE session_id = ? AND call_id = ? ORDER BY id DESC LIMIT 1")
    .get(sessionId, callId);
  return (row?.["call_tool"] ?? null) as string | null;
}

const DROPPED = "FROM messages WHERE session_id = ?1 AND (?2 = 0 OR (seq >= ?2 AND role <> 'title'))";

/** Takes a session out of the search, or its messages (not its title) from a fact on. */
export function dropMessages(file: DatabaseFile, sessionId: string, from = 0): void {
  for (const { id } of file.statement(`SELECT id ${DROPPED}`).all(sessionId, from)) {
    for (const { drop } of FULL_TEXT) file.statement(drop).run(id ?? 0);
    const grams = shortGrams(textAt(file, Number(id)));
    if (grams !== "") file.statement(SHORT.drop).run(id ?? 0, grams);
  }
  file.statement(`DELETE ${DROPPED}`).run(sessionId, from);
}

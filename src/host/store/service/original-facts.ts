import type { Fact } from "../../../contract/conversation/fact.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { AnswerPart, Part, Provenance } from "../../../contract/conversation/part.ts";
import { fromSeconds } from "../index/original-seconds.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** A row of the original's tables, whichever of their columns its layout has. */
export type OriginalRow = { readonly [column: string]: unknown };

interface At {
  readonly at: number;
  readonly fact: Fact;
}

interface OpenCall {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
}

/**
 * A session of the original as facts. Rewound messages are dropped; messages that a summary replaced come first, are
 * searchable, and are in no request. Tool results count as untrusted, because their sources are unknown.
 * @returns nothing for an empty session.
 */
export function factsOfOriginal(
  session: OriginalRow,
  messages: readonly OriginalRow[],
  known: ReadonlySet<string>,
): readonly At[] {
  const startedAt = msOf(session["started_at"]) ?? 0;
  const spoken = messages.filter(
    (row) => row["active"] === undefined || row["active"] === null || row["active"] === 1 || row["compacted"] === 1,
  );
  const before = spoken.filter(({ compacted, active }) => compacted === 1 && active !== 1);
  const after = spoken.filter((row) => !before.includes(row));
  if (!spoken.some(({ role }) => role === "user" || role === "assistant")) return [];

  const parent = textOf(session["parent_session_id"]);
  const title = textOf(session["title"]).trim();
  const surface = textOf(session["source"]) || "cli";
  const start: Fact = {
    type: "session.started",
    surface,
    cwd: textOf(session["cwd"]) || "/",
    parent: known.has(parent) ? { sessionId: parent, seq: 1 } : undefined,
  };
  const fold = new Fold(session, surface);
  const facts: At[] = [
    { at: startedAt, fact: start },
    ...(title === "" ? [] : [{ at: startedAt, fact: { type: "session.titled", title } as const }]),
  ];
  fold.facts.push(...facts);
  for (const row of before) fold.take(row);
  fold.endTurn();
  if (before.length > 0)
    fold.add({
      type: "context.compacted",
      summary: "The original summarised the earlier messages.",
      keepFrom: fold.facts.length + 2,
      messages: [],
    });
  for (const row of after) fold.take(row);
  fold.endTurn();
  return fold.withSums();
}

const SURFACES_OF_ONE = new Set(["cli", "tui"]);

class Fold {
  readonly facts: At[] = [];
  readonly #model: string;
  readonly #session: OriginalRow;
  /** A group message need not be from the owner. */
  readonly #provenance: Provenance | undefined;
  /** Calls without a result, the newest of an id last: some models count them from 0 in every answer. */
  readonly #open: OpenCall[] = [];
  #at = 0;
  #turn: string | undefined;
  #turns = 0;
  #calls = 0;

  constructor(session: OriginalRow, surface: string) {
    this.#session = session;
    this.#model = textOf(session["model"]);
    const chat = textOf(session["chat_type"]);
    this.#provenance =
      SURFACES_OF_ONE.has(surface) || chat === "" || chat === "dm" || chat === "private"
        ? undefined
        : { trust: "foreign", owner: "sessions", source: `a chat of ${surface}, as stored by the original` };
  }

  take(row: OriginalRow): void {
    this.#at = msOf(row["timestamp"]) ?? this.#at;
    if (row["role"] === "user") this.#user(row);
    else if (row["role"] === "assistant") this.#assistant(row);
    else if (row["role"] === "tool") this.#result(row);
  }

  add(fact: Fact): void {
    this.facts.push({ at: this.#at, fact });
  }

  #user(row: OriginalRow): void {
    this.endTurn();
    const turnId = this.#begin();
    const parts = partsOf(row["content"]).map((part): Part =>
      this.#provenance === undefined ? part : { ...part, from: this.#provenance },
    );
    this.add({ type: "message.added", turnId, origin: "person", parts });
  }

  #assistant(row: OriginalRow): void {
    const turnId = this.#turn ?? this.#begin();
    const requestId = `original-${this.facts.length}`;
    const words: readonly AnswerPart[] = partsOf(row["content"]).flatMap((part) =>
      part.type === "text" && part.text !== "" ? [part] : [],
    );
    const calls = callsOf(row["tool_calls"]).map(({ id, tool, args }) => ({
      id,
      tool,
      args,
      callId: `original-${++this.#calls}`,
    }));
    this.add({ type: "model.asked", turnId, requestId, model: this.#model, prefixHash: "", attempt: 1 });
    this.add({
      type: "model.answered",
      turnId,
      requestId,
      parts: [
        ...words,
        ...calls.map(({ callId, tool, args }): AnswerPart => ({ type: "tool-call", callId, tool, args })),
      ],
      finish: calls.length > 0 ? "tool-calls" : "stop",
      usage: NOTHING,
    });
    for (const { id, callId, tool, args } of calls) {
      const decoded = jsonOf(args);
      this.add({
        type: "tool.called",
        turnId,
        callId,
        tool,
        args: isObject(decoded) ? decoded : undefined,
        by: "model",
        effect: "execute",
        repeatable: false,
      });
      this.#open.push({ id, callId, tool });
    }
  }

  #result(row: OriginalRow): void {
    const at = this.#open.findLastIndex(({ id }) => id === textOf(row["tool_call_id"]));
    if (at < 0) return;
    const [{ callId, tool }] = this.#open.splice(at, 1) as [OpenCall];
    const from: Provenance = {
      trust: "foreign",
      owner: "sessions",
      tool,
      source: `${tool} in a session of the original`,
    };
    this.add({
      type: "tool.settled",
      callId,
      outcome: { kind: "ok", shown: partsOf(row["content"]).map((part) => ({ ...part, from })) },
      durationMs: 0,
    });
  }

  #begin(): string {
    this.#turn = `original-turn-${++this.#turns}`;
    this.add({ type: "turn.started", turnId: this.#turn });
    return this.#turn;
  }

  endTurn(): void {
    for (const { callId } of this.#open.splice(0))
      this.add({
        type: "tool.settled",
        callId,
        outcome: { kind: "cancelled", reason: "the original stored no result of this call" },
        durationMs: 0,
      });
    if (this.#turn !== undefined) this.add({ type: "turn.ended", turnId: this.#turn, reason: "done" });
    this.#turn = undefined;
  }

  /** The original kept sums for a session only; they stand at its last answer. */
  withSums(): readonly At[] {
    const last = this.facts.findLastIndex(({ fact }) => fact.type === "model.answered");
    const cost = numberOf(this.#session["actual_cost_usd"]) ?? numberOf(this.#session["estimated_cost_usd"]);
    const sum = (column: string): number => Math.max(0, Math.round(numberOf(this.#session[column]) ?? 0));
    const usage = {
      inputTokens: sum("input_tokens") + sum("cache_read_tokens") + sum("cache_write_tokens"),
      outputTokens: sum("output_tokens"),
      cacheReadTokens: sum("cache_read_tokens"),
      cacheWriteTokens: sum("cache_write_tokens"),
      reasoningTokens: sum("reasoning_tokens"),
    };
    return this.facts.map((one, at) =>
      at === last && one.fact.type === "model.answered"
        ? {
            ...one,
            fact: {
              ...one.fact,
              usage,
              counts: "session" as const,
              ...definedFields({ costUsd: cost === undefined || cost === 0 ? undefined : cost }),
            },
          }
        : one,
    );
  }
}

const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
/** Before a content that is no plain text. */
const STRUCTURED = "\0json:";

function partsOf(content: unknown): readonly { readonly type: "text"; readonly text: string }[] {
  const text = textOf(content);
  if (!text.startsWith(STRUCTURED)) return [{ type: "text", text }];
  const value = jsonOf(text.slice(STRUCTURED.length));
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value ?? ""];
  return list.map((part) => ({
    type: "text",
    text:
      typeof part === "string"
        ? part
        : isObject(part) && typeof part["text"] === "string"
          ? part["text"]
          : isObject(part) && /image/.test(String(part["type"]))
            ? "[picture]"
            : JSON.stringify(part),
  }));
}

function callsOf(value: unknown): readonly { readonly id: string; readonly tool: string; readonly args: string }[] {
  const list = typeof value === "string" ? jsonOf(value) : undefined;
  return (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((call) => {
    const named = isObject(call) && isObject(call["function"]) ? call["function"] : undefined;
    const tool = textOf(named?.["name"]);
    if (!isObject(call) || named === undefined || tool === "") return [];
    return [
      {
        id: textOf(call["id"]) || textOf(call["call_id"]),
        tool,
        args: typeof named["arguments"] === "string" ? named["arguments"] : JSON.stringify(named["arguments"] ?? {}),
      },
    ];
  });
}

function jsonOf(text: string): JsonObject[string] | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // As a model wrote it: not always JSON.
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function msOf(seconds: unknown): number | undefined {
  const value = numberOf(seconds);
  return value === undefined ? undefined : fromSeconds(value);
}

import type { AnswerPart, Json, JsonObject, ModelEnd, ModelEvent, ModelFailure, Usage } from "hermes-agent/plugin";
import { complaintOf, type Complaint } from "../wire/failure.ts";
import { BrokenStream } from "../wire/server-sent-events.ts";
import { ThinkTags, type Piece } from "./think-tags.ts";

/** The provider reported an error in the middle of an answer. */
export class StreamComplaint extends Error {
  readonly complaint: Complaint;

  constructor(complaint: Complaint) {
    super(complaint.message);
    this.complaint = complaint;
  }
}

export interface AnswerContext {
  readonly provider: string;
  /** Call ids of the conversation so far. */
  readonly usedIds: ReadonlySet<string>;
  /** Characters of the request, to estimate its tokens when the provider does not count. */
  readonly requestChars: number;
}

interface CallDraft {
  readonly index: number | undefined;
  id: string;
  tool: string;
  args: string;
  extra: JsonObject | undefined;
}

type Record_ = { readonly [key: string]: unknown };

/** Folds the chunks of one chat completion into deltas and, at its end, whole parts. Knows nothing of sockets. */
export class ChatAnswer {
  readonly #context: AnswerContext;
  readonly #tags = new ThinkTags();
  readonly #calls: CallDraft[] = [];
  readonly #details: Record<string, Json>[] = [];
  #thinking = "";
  #thinkingField: string | undefined;
  #text = "";
  #finish: Finish | undefined;
  #done = false;
  #usage: Usage | undefined;
  #model: string | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  /** Everything that makes an answer has come; only its token counts may still follow. */
  get finished(): boolean {
    return this.#finish !== undefined || this.#done;
  }

  /** The provider said that nothing follows. */
  get done(): boolean {
    return this.#done;
  }

  /** @throws {BrokenStream | StreamComplaint} */
  take(data: string): ModelEvent[] {
    if (this.#done || data.trim() === "") return [];
    if (data.trim() === "[DONE]") {
      this.#done = true;
      return [];
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      throw new BrokenStream("an event of the stream is not JSON");
    }
    return this.takeChunk(chunk);
  }

  /** A chunk, or the one body of an answer that was not streamed. */
  takeChunk(chunk: unknown): ModelEvent[] {
    if (typeof chunk !== "object" || chunk === null) throw new BrokenStream("an event of the stream is not an object");
    const complaint = complaintOf(chunk);
    if (complaint !== undefined) throw new StreamComplaint(complaint);
    const record = chunk as Record_;
    if (typeof record["model"] === "string" && record["model"] !== "") this.#model = record["model"];
    const choice = first(record["choices"]);
    this.#usage = usageOf(record["usage"] ?? choice?.["usage"] ?? (record["x_groq"] as Record_ | undefined)?.["usage"]) ?? this.#usage;
    if (choice === undefined || (typeof choice["index"] === "number" && choice["index"] !== 0)) return [];
    const events = this.#takeDelta((choice["delta"] ?? choice["message"] ?? {}) as Record_);
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") this.#finish ??= finishOf(reason);
    return events;
  }

  /** @throws {BrokenStream} The stream ended before the answer did. */
  end(): { readonly events: readonly ModelEvent[]; readonly end: ModelEnd } {
    const events = this.#tags.end().map((piece) => this.#piece(piece.kind, piece.text));
    if (!this.finished) throw new BrokenStream("the stream ended before the answer was complete");
    // Without a finish reason nothing says that the last call is whole, except its own text.
    if (this.#finish === undefined && this.#calls.some((call) => call.args !== "" && !isWholeObject(call.args))) throw new BrokenStream("the stream ended in the middle of a tool call");
    if (this.#calls.some((call) => call.tool === "")) throw new BrokenStream("a tool call came without the tool's name");
    const calls = this.#callParts();
    const parts: AnswerPart[] = [...this.#reasoningParts(), ...(this.#text === "" ? [] : [{ type: "text", text: this.#text } as const]), ...calls];
    const finish = this.#finish === "length" || this.#finish === "filter" ? this.#finish : calls.length > 0 ? "tool-calls" : "stop";
    return { events, end: { type: "end", kind: "answer", parts, finish, usage: this.#usage ?? this.#estimate(), ...(this.#model === undefined ? {} : { model: this.#model }) } };
  }

  #takeDelta(delta: Record_): ModelEvent[] {
    const events: ModelEvent[] = [];
    const thought = this.#takeReasoning(delta);
    if (thought !== "") events.push(this.#piece("thinking", thought));
    for (const piece of contentPieces(delta["content"] ?? delta["refusal"])) {
      if (piece.kind === "thinking") events.push(this.#piece("thinking", piece.text));
      else for (const part of this.#tags.push(piece.text)) events.push(this.#piece(part.kind, part.text));
    }
    const legacy = delta["function_call"];
    const calls = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : legacy === undefined || legacy === null ? [] : [{ index: 0, function: legacy }];
    for (const call of calls) events.push(...this.#takeCall(call as Record_));
    return events;
  }

  #piece(kind: "text" | "thinking", text: string): ModelEvent {
    if (kind === "text") this.#text += text;
    else this.#thinking += text;
    return { type: `${kind}.delta`, text };
  }

  #takeReasoning(delta: Record_): string {
    const details = Array.isArray(delta["reasoning_details"]) ? (delta["reasoning_details"] as Record_[]) : [];
    for (const detail of details) mergeDetail(this.#details, detail);
    for (const field of ["reasoning_content", "reasoning"]) {
      const value = delta[field];
      if (typeof value === "string" && value !== "") {
        this.#thinkingField ??= field;
        return value;
      }
    }
    return details.map((detail) => (typeof detail["text"] === "string" ? detail["text"] : typeof detail["summary"] === "string" ? detail["summary"] : "")).join("");
  }

  #takeCall(delta: Record_): ModelEvent[] {
    const work = (delta["function"] ?? {}) as Record_;
    const id = typeof delta["id"] === "string" ? delta["id"] : "";
    const tool = typeof work["name"] === "string" ? work["name"] : "";
    const args = typeof work["arguments"] === "string" ? work["arguments"] : work["arguments"] === undefined || work["arguments"] === null ? "" : JSON.stringify(work["arguments"]);
    const draft = this.#draftFor(typeof delta["index"] === "number" ? delta["index"] : undefined, id, tool);
    const isNew = draft.tool === "" && tool !== "";
    if (draft.id === "") draft.id = id;
    if (draft.tool === "") draft.tool = tool;
    // Some servers send the whole arguments once more at the end.
    if (args !== draft.args || !isWholeObject(args)) draft.args += args;
    const { index: _index, id: _id, type: _type, function: _function, ...extra } = delta;
    if (Object.keys(extra).length > 0) draft.extra = { ...draft.extra, ...(extra as JsonObject) };
    return isNew ? [{ type: "call.delta", tool: draft.tool }] : [];
  }

  /** Which call a delta belongs to: by index, by id; some servers number every call 0, or none. */
  #draftFor(index: number | undefined, id: string, tool: string): CallDraft {
    const known = index === undefined ? (id === "" ? (tool === "" ? this.#calls.at(-1) : undefined) : this.#calls.find((call) => call.id === id)) : this.#calls.findLast((call) => call.index === index);
    const another = known !== undefined && id !== "" && known.id !== "" && known.id !== id && tool !== "";
    if (known !== undefined && !another) return known;
    const draft: CallDraft = { index, id: "", tool: "", args: "", extra: undefined };
    this.#calls.push(draft);
    return draft;
  }

  /** In the order of their indexes, arguments as the model wrote them: dispatch decides what half a command is worth. */
  #callParts(): AnswerPart[] {
    const used = new Set(this.#context.usedIds);
    return this.#calls
      .map((call, position) => ({ call, order: call.index ?? position }))
      .sort((left, right) => left.order - right.order)
      .map(({ call }) => {
        const callId = freshId(call.id, used);
        return { type: "tool-call", callId, tool: call.tool, args: call.args, ...(call.extra === undefined ? {} : { provider: { from: this.#context.provider, extra: call.extra } }) };
      });
  }

  #reasoningParts(): AnswerPart[] {
    if (this.#thinking === "" && this.#details.length === 0) return [];
    const from = this.#context.provider;
    const provider: JsonObject | undefined = this.#details.length > 0 ? { from, details: this.#details } : this.#thinkingField === undefined ? undefined : { from, field: this.#thinkingField };
    return [{ type: "reasoning", text: this.#thinking, ...(provider === undefined ? {} : { provider }) }];
  }

  /** 3.8 characters a token, when the provider does not say. */
  #estimate(): Usage {
    const outputChars = this.#text.length + this.#thinking.length + this.#calls.reduce((sum, call) => sum + call.tool.length + call.args.length, 0);
    return { inputTokens: Math.ceil(this.#context.requestChars / 3.8), outputTokens: Math.ceil(outputChars / 3.8), cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: Math.ceil(this.#thinking.length / 3.8) };
  }
}

type Finish = "stop" | "tool-calls" | "length" | "filter";

function finishOf(reason: string): Finish {
  switch (reason.toLowerCase()) {
    case "length":
    case "max_tokens":
    case "model_length":
    case "model_context_window_exceeded":
      return "length";
    case "tool_calls":
    case "function_call":
    case "tool_use":
      return "tool-calls";
    case "content_filter":
    case "safety":
    case "refusal":
    case "sensitive":
    case "prohibited_content":
      return "filter";
    case "error":
    case "network_error":
    case "abort":
      throw new BrokenStream(`the provider gave up in the middle of the answer (${reason})`);
    case "insufficient_system_resource":
      throw new StreamComplaint({ status: 503, codes: reason, message: "The provider had no capacity to finish the answer." });
    default:
      return "stop";
  }
}

function contentPieces(content: unknown): Piece[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return (content as Record_[]).flatMap((part): Piece[] => {
    // Mistral: `{ type: "thinking", thinking: [{ type: "text", text }] }`.
    if (part["type"] === "thinking") return contentPieces(part["thinking"]).map(({ text }) => ({ kind: "thinking", text }));
    return typeof part["text"] === "string" && part["text"] !== "" ? [{ kind: "text", text: part["text"] }] : [];
  });
}

/** OpenRouter streams its details in pieces; those of one index and type are one. */
function mergeDetail(details: Record<string, Json>[], detail: Record_): void {
  const piece = detail as Record<string, Json>;
  const same = details.at(-1);
  if (same === undefined || same["type"] !== piece["type"] || same["index"] !== piece["index"]) {
    details.push({ ...piece });
    return;
  }
  for (const [key, value] of Object.entries(piece)) {
    const before = same[key];
    if ((key === "text" || key === "summary" || key === "data") && typeof before === "string" && typeof value === "string") same[key] = before + value;
    else if (value !== null && value !== undefined) same[key] = value;
  }
}

function usageOf(value: unknown): Usage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const usage = value as Record_;
  const input = (usage["prompt_tokens_details"] ?? {}) as Record_;
  const output = (usage["completion_tokens_details"] ?? {}) as Record_;
  const inputTokens = count(usage["prompt_tokens"]);
  const outputTokens = count(usage["completion_tokens"]);
  if (inputTokens === 0 && outputTokens === 0) return undefined;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: count(input["cached_tokens"] ?? usage["prompt_cache_hit_tokens"] ?? usage["cached_tokens"]),
    cacheWriteTokens: count(input["cache_write_tokens"] ?? input["cache_creation_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** Whether the text is one whole JSON object: a call that was cut off never is. */
function isWholeObject(args: string): boolean {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** An id that is missing, or was used before in this conversation, would pair a result with the wrong call. */
function freshId(wanted: string, used: Set<string>): string {
  const stem = wanted === "" ? `call_${used.size + 1}` : wanted;
  let id = stem;
  for (let number = 2; used.has(id); number++) id = `${stem}_${number}`;
  used.add(id);
  return id;
}

function first(choices: unknown): Record_ | undefined {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return typeof choice === "object" && choice !== null ? (choice as Record_) : undefined;
}

/** What a broken stream means for the engine: nothing of it is kept, and asking again may help. */
export function brokenStream(service: string, error: BrokenStream): ModelFailure {
  return { code: "bad_response", message: `${service}: ${error.message}.`, retryable: true };
}

import type { AnswerPart, ModelEnd, ModelEvent, Usage } from "hermes-agent/plugin";
import { freshCallId } from "../wire/call-ids.ts";
import { complaintOf } from "../wire/complaint.ts";
import { BrokenStream, type ServerSentEvent } from "../wire/server-sent-events.ts";
import { StreamComplaint, type AnswerFold } from "../wire/stream-answer.ts";
import { definedFields } from "hermes-agent/plugin";

type Fields = { readonly [key: string]: unknown };

interface BlockDraft {
  readonly type: string;
  readonly start: Fields;
  text: string;
  signature: string;
  closed: boolean;
}

/**
 * Folds the events of one Messages stream into deltas and, at its end, whole parts. Events carry block numbers, so
 * missing, repeated or misordered events are detected, and the request is retried.
 */
export class MessagesAnswer implements AnswerFold {
  readonly #provider: string;
  readonly #usedIds: ReadonlySet<string>;
  readonly #blocks = new Map<number, BlockDraft>();
  #messageId: string | undefined;
  #stopReason: string | undefined;
  #stopped = false;
  #model: string | undefined;
  #usage: Fields = {};

  constructor(provider: string, usedIds: ReadonlySet<string>) {
    this.#provider = provider;
    this.#usedIds = usedIds;
  }

  get done(): boolean {
    return this.#stopped;
  }

  get counted(): Usage | undefined {
    return this.#messageId === undefined ? undefined : usageOf(this.#usage);
  }

  get finished(): boolean {
    return this.#stopped || this.#stopReason !== undefined;
  }

  take({ event, data }: ServerSentEvent): ModelEvent[] {
    if (this.#stopped || data.trim() === "") return [];
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      throw new BrokenStream("an event in the answer stream is not valid JSON");
    }
    if (typeof value !== "object" || value === null)
      throw new BrokenStream("an event in the answer stream is not a JSON object");
    const record = value as Fields;
    const type = typeof record["type"] === "string" ? record["type"] : event;
    switch (type) {
      case "message_start":
        return this.#start(record["message"] as Fields | undefined);
      case "content_block_start":
        return this.#startBlock(numberOf(record["index"]), (record["content_block"] ?? {}) as Fields);
      case "content_block_delta":
        return this.#delta(numberOf(record["index"]), (record["delta"] ?? {}) as Fields);
      case "content_block_stop":
        this.#block(numberOf(record["index"])).closed = true;
        return [];
      case "message_delta": {
        const reason = (record["delta"] as Fields | undefined)?.["stop_reason"];
        if (typeof reason === "string") this.#stopReason = reason;
        this.#count(record["usage"]);
        return [];
      }
      case "message_stop":
        this.#stopped = true;
        return [];
      case "error":
        throw new StreamComplaint(complaintOf(record) ?? { codes: "", message: "" });
      default: {
        // `ping`, and kinds of event that were added later. Some services report an error in another format.
        const complaint = complaintOf(record);
        if (complaint !== undefined) throw new StreamComplaint(complaint);
        return [];
      }
    }
  }

  takeWhole(value: unknown): ModelEvent[] {
    const complaint = complaintOf(value);
    if (complaint !== undefined) throw new StreamComplaint(complaint);
    const message = (typeof value === "object" && value !== null ? value : {}) as Fields;
    if (!Array.isArray(message["content"])) throw new BrokenStream("the answer has no content");
    const events = this.#start(message);
    for (const [index, block] of (message["content"] as Fields[]).entries()) {
      events.push(...this.#startBlock(index, block));
      if (block["type"] === "tool_use") this.#block(index).text = JSON.stringify(block["input"] ?? {});
      this.#block(index).closed = true;
    }
    this.#stopReason = typeof message["stop_reason"] === "string" ? message["stop_reason"] : undefined;
    this.#stopped = true;
    return events;
  }

  end(): readonly [ModelEnd] {
    const blocks = [...this.#blocks].sort(([left], [right]) => left - right).map(([, block]) => block);
    if (!this.finished || blocks.some((block) => !block.closed))
      throw new BrokenStream("the answer stream ended before the answer was complete");
    const used = new Set(this.#usedIds);
    const parts = blocks.flatMap((block) => this.#part(block, used));
    return [
      {
        type: "end",
        kind: "answer",
        parts,
        finish: finishOf(this.#stopReason, parts),
        usage: usageOf(this.#usage),
        model: this.#model,
      },
    ];
  }

  #start(message: Fields | undefined): ModelEvent[] {
    const id = typeof message?.["id"] === "string" ? message["id"] : "";
    if (this.#messageId !== undefined && this.#messageId !== id)
      throw new BrokenStream("the answer stream contains two answers");
    this.#messageId = id;
    if (typeof message?.["model"] === "string") this.#model = message["model"];
    this.#count(message?.["usage"]);
    return [];
  }

  #startBlock(index: number, start: Fields): ModelEvent[] {
    const before = this.#blocks.get(index);
    // A repeated start event before any other event is harmless.
    if (
      before !== undefined &&
      (before.closed || before.text !== firstText(start) || JSON.stringify(before.start) !== JSON.stringify(start))
    )
      throw new BrokenStream(`content block ${index} of the answer begins twice`);
    if (before !== undefined) return [];
    const text = firstText(start);
    const draft: BlockDraft = {
      type: String(start["type"]),
      start,
      text,
      signature: typeof start["signature"] === "string" ? start["signature"] : "",
      closed: false,
    };
    this.#blocks.set(index, draft);
    if (draft.type === "tool_use") return [{ type: "call.delta", tool: String(start["name"] ?? "") }];
    if (text === "") return [];
    return [{ type: draft.type === "thinking" ? "thinking.delta" : "text.delta", text }];
  }

  #delta(index: number, delta: Fields): ModelEvent[] {
    const block = this.#block(index);
    if (block.closed) throw new BrokenStream(`content block ${index} of the answer continues after its end`);
    switch (delta["type"]) {
      case "text_delta":
        return this.#grow(block, "text", delta["text"], "text.delta");
      case "thinking_delta":
        return this.#grow(block, "thinking", delta["thinking"], "thinking.delta");
      case "input_json_delta":
        return this.#grow(block, "tool_use", delta["partial_json"]);
      case "signature_delta":
        if (typeof delta["signature"] === "string") block.signature += delta["signature"];
        return [];
      default:
        return [];
    }
  }

  #grow(block: BlockDraft, type: string, text: unknown, event?: "text.delta" | "thinking.delta"): ModelEvent[] {
    if (block.type !== type)
      throw new BrokenStream(`the answer stream has a delta of type ${type} for a content block of type ${block.type}`);
    if (typeof text !== "string" || text === "") return [];
    block.text += text;
    return event === undefined ? [] : [{ type: event, text }];
  }

  #block(index: number): BlockDraft {
    const block = this.#blocks.get(index);
    if (block === undefined)
      throw new BrokenStream(`the answer stream has a delta for content block ${index}, which has not started`);
    return block;
  }

  #part(block: BlockDraft, used: Set<string>): AnswerPart[] {
    const from = this.#provider;
    switch (block.type) {
      case "text":
        return block.text === "" ? [] : [{ type: "text", text: block.text }];
      case "thinking":
        return [
          definedFields({
            type: "reasoning",
            text: block.text,
            provider: block.signature === "" ? undefined : { from, signature: block.signature },
          }),
        ];
      case "redacted_thinking":
        return [{ type: "reasoning", text: "", provider: { from, redacted: String(block.start["data"] ?? "") } }];
      case "tool_use": {
        return [
          {
            type: "tool-call",
            callId: freshCallId(String(block.start["id"] ?? ""), "toolu", used),
            tool: String(block.start["name"] ?? ""),
            args: block.text === "" ? wholeInput(block.start["input"]) : block.text,
          },
        ];
      }
      default:
        return [];
    }
  }

  /** Counts are cumulative: a later one replaces an earlier. */
  #count(usage: unknown): void {
    if (typeof usage !== "object" || usage === null) return;
    this.#usage = {
      ...this.#usage,
      ...Object.fromEntries(Object.entries(usage).filter(([, value]) => typeof value === "number")),
    };
    const { cache_creation: written } = usage as Fields;
    if (typeof written === "object" && written !== null)
      this.#usage = { ...this.#usage, written_1h: (written as Fields)["ephemeral_1h_input_tokens"] };
  }
}

/** Some servers send the whole input with the start of its block, and nothing after it. */
function wholeInput(input: unknown): string {
  if (typeof input === "string" && input.trim() !== "") return input;
  return typeof input === "object" && input !== null ? JSON.stringify(input) : "{}";
}

function firstText(start: Fields): string {
  const text = start["type"] === "thinking" ? start["thinking"] : start["text"];
  return typeof text === "string" ? text : "";
}

function finishOf(
  reason: string | undefined,
  parts: readonly AnswerPart[],
): "stop" | "tool-calls" | "length" | "filter" {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  if (reason === "refusal") return "filter";
  return parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop";
}

/** On this wire the input count excludes cached tokens; ours includes them. */
function usageOf(usage: Fields): Usage {
  const cacheReadTokens = count(usage["cache_read_input_tokens"]);
  const cacheWriteTokens = count(usage["cache_creation_input_tokens"]);
  return {
    inputTokens: count(usage["input_tokens"]) + cacheReadTokens + cacheWriteTokens,
    outputTokens: count(usage["output_tokens"]),
    cacheReadTokens,
    cacheWriteTokens,
    ...definedFields({ cacheWrite1hTokens: count(usage["written_1h"]) || undefined }),
    reasoningTokens: 0,
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

function numberOf(index: unknown): number {
  if (typeof index !== "number") throw new BrokenStream("an event in the answer stream has no content block index");
  return index;
}

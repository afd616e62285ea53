import type { ModelEnd, ModelEvent, Usage } from "hermes-agent/plugin";
import { complaintOf } from "../wire/complaint.ts";
import { BrokenStream, type ServerSentEvent } from "../wire/server-sent-events.ts";
import { StreamComplaint, type AnswerFold } from "../wire/stream-answer.ts";
import { CallFold } from "./call-fold.ts";
import { ReasoningFold } from "./reasoning-fold.ts";
import { splitThinking } from "../wire/split-thinking.ts";
import { ThinkTags, type Piece } from "./think-tags.ts";
import { costOf, estimatedUsage, usageOf } from "./usage.ts";

export interface AnswerContext {
  readonly provider: string;
  /** Call ids of the conversation so far. */
  readonly usedIds: ReadonlySet<string>;
  /** Characters of the request, to estimate its tokens when the provider does not count. */
  readonly requestChars: number;
  /** USD that the service charges, as it said before the answer. */
  readonly costUsd?: number;
}

type Fields = { readonly [key: string]: unknown };

/** Folds the chunks of one chat completion. */
export class ChatAnswer implements AnswerFold {
  readonly #context: AnswerContext;
  readonly #tags = new ThinkTags();
  readonly #calls = new CallFold();
  readonly #reasoning = new ReasoningFold();
  #text = "";
  #finish: Finish | undefined;
  #done = false;
  #usage: Usage | undefined;
  #costUsd: number | undefined;
  #model: string | undefined;

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  get finished(): boolean {
    return this.#finish !== undefined || this.#done;
  }

  get done(): boolean {
    return this.#done;
  }

  get counted(): Usage | undefined {
    return this.#usage;
  }

  take({ data }: Pick<ServerSentEvent, "data">): ModelEvent[] {
    if (this.#done || data.trim() === "") return [];
    if (data.trim() === "[DONE]") {
      this.#done = true;
      return [];
    }
    let chunk: unknown;
    try {
      chunk = JSON.parse(data);
    } catch {
      throw new BrokenStream("an event in the answer stream is not valid JSON");
    }
    return this.takeWhole(chunk);
  }

  /** Takes a chunk. An answer that was not streamed is a chunk with a message instead of a delta. */
  takeWhole(chunk: unknown): ModelEvent[] {
    if (typeof chunk !== "object" || chunk === null)
      throw new BrokenStream("an event in the answer stream is not a JSON object");
    const complaint = complaintOf(chunk);
    if (complaint !== undefined) throw new StreamComplaint(complaint);
    const fields = chunk as Fields;
    if (typeof fields["model"] === "string" && fields["model"] !== "") this.#model = fields["model"];
    const choice = first(fields["choices"]);
    const usage = fields["usage"] ?? choice?.["usage"] ?? (fields["x_groq"] as Fields | undefined)?.["usage"];
    this.#usage = usageOf(usage) ?? this.#usage;
    this.#costUsd = costOf(usage) ?? this.#costUsd;
    if (choice === undefined || (typeof choice["index"] === "number" && choice["index"] !== 0)) return [];
    const events = this.#takeDelta((choice["delta"] ?? choice["message"] ?? {}) as Fields);
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") this.#finish ??= finishOf(reason);
    return events;
  }

  end(): readonly [...ModelEvent[], ModelEnd] {
    const rest = this.#tags.end().flatMap((piece): Piece[] => {
      if (piece.kind !== "text") return [piece];
      const { thinking, text } = splitThinking(piece.text);
      return [
        ...(thinking === "" ? [] : [{ kind: "thinking", text: thinking } as const]),
        ...(text === "" ? [] : [{ kind: "text", text } as const]),
      ];
    });
    const held = rest.map((piece) => this.#piece(piece));
    // What was shown as text already turns out to be thinking when the closing tag comes.
    const whole = splitThinking(this.#text);
    if (whole.thinking !== "" && this.#reasoning.chars > 0) this.#reasoning.add("\n\n");
    this.#reasoning.add(whole.thinking);
    this.#text = whole.text;
    if (!this.finished) throw new BrokenStream("the answer stream ended before the answer was complete");
    const { provider, usedIds, requestChars } = this.#context;
    const calls = this.#calls.end(provider, usedIds, this.#finish !== undefined);
    const text = this.#text === "" ? [] : [{ type: "text", text: this.#text } as const];
    const finish =
      this.#finish === "length" || this.#finish === "filter" ? this.#finish : calls.length > 0 ? "tool-calls" : "stop";
    const usage =
      this.#usage ??
      estimatedUsage({
        request: requestChars,
        answer: this.#text.length + this.#calls.chars,
        thinking: this.#reasoning.chars,
      });
    return [
      ...held,
      {
        type: "end",
        kind: "answer",
        parts: [...this.#reasoning.end(provider), ...text, ...calls],
        finish,
        usage,
        model: this.#model,
        costUsd: this.#costUsd ?? this.#context.costUsd,
      },
    ];
  }

  #takeDelta(delta: Fields): ModelEvent[] {
    const thought = this.#reasoning.read(delta);
    const pieces: Piece[] = [
      ...(thought === "" ? [] : [{ kind: "thinking", text: thought } as const]),
      ...contentPieces(delta["content"] ?? delta["refusal"]).flatMap((piece) =>
        piece.kind === "thinking" ? [piece] : this.#tags.push(piece.text),
      ),
    ];
    return [...pieces.map((piece) => this.#piece(piece)), ...this.#calls.take(delta)];
  }

  #piece({ kind, text }: Piece): ModelEvent {
    if (kind === "text") this.#text += text;
    else this.#reasoning.add(text);
    return { type: `${kind}.delta`, text };
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
      throw new BrokenStream(`the provider stopped during the answer (${reason})`);
    case "insufficient_system_resource":
      throw new StreamComplaint({
        status: 503,
        codes: reason,
        message: "The provider had no capacity to finish the answer.",
      });
    default:
      return "stop";
  }
}

function contentPieces(content: unknown): Piece[] {
  if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return (content as Fields[]).flatMap((part): Piece[] => {
    // Mistral: `{ type: "thinking", thinking: [{ type: "text", text }] }`.
    if (part["type"] === "thinking")
      return contentPieces(part["thinking"]).map(({ text }) => ({ kind: "thinking", text }));
    return typeof part["text"] === "string" && part["text"] !== "" ? [{ kind: "text", text: part["text"] }] : [];
  });
}

function first(choices: unknown): Fields | undefined {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return typeof choice === "object" && choice !== null ? (choice as Fields) : undefined;
}

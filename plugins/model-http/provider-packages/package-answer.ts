import type { AnswerPart, JsonObject, ModelEnd, ModelEvent } from "hermes-agent/plugin";
import { estimatedUsage } from "../chat-completions/usage.ts";
import { freshCallId } from "../wire/call-ids.ts";
import { complaintOf } from "../wire/complaint.ts";
import { BrokenStream } from "../wire/server-sent-events.ts";
import { splitThinking } from "../wire/split-thinking.ts";
import { StreamComplaint } from "../wire/stream-answer.ts";
import type { PackageUsage, ProviderFields, StreamPart } from "./language-model.ts";
import type { Speaker } from "./speaker.ts";
import { definedFields } from "hermes-agent/plugin";

interface Draft {
  readonly kind: "text" | "reasoning" | "call";
  readonly tool: string;
  /** The service's own id of a call. */
  readonly callId: string;
  text: string;
  whole: boolean;
  readonly metadata: ProviderFields[];
}

/** Folds what a package streams into deltas and, at its end, whole parts. */
export class PackageAnswer {
  readonly #from: string;
  readonly #keep: Speaker["keep"];
  readonly #usedIds: ReadonlySet<string>;
  readonly #requestChars: () => number;
  readonly #drafts: Draft[] = [];
  /** By the package's ids, which it may use again for a later part. */
  readonly #open = new Map<string, Draft>();
  #model: string | undefined;
  #finish: Extract<StreamPart, { type: "finish" }> | undefined;

  constructor(about: {
    readonly from: string;
    readonly keep: Speaker["keep"];
    readonly usedIds: ReadonlySet<string>;
    readonly requestChars: () => number;
  }) {
    this.#from = about.from;
    this.#keep = about.keep;
    this.#usedIds = about.usedIds;
    this.#requestChars = about.requestChars;
  }

  /**
   * @throws {StreamComplaint} The service says that something went wrong.
   * @throws {BrokenStream} The package cannot make sense of it.
   */
  take(part: StreamPart): readonly ModelEvent[] {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#begin(part.type === "text-start" ? "text" : "reasoning", part.id, part.providerMetadata);
        return [];
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "reasoning";
        const draft = this.#of(kind, part.id, part.providerMetadata);
        draft.text += part.delta;
        return part.delta === "" ? [] : [{ type: kind === "text" ? "text.delta" : "thinking.delta", text: part.delta }];
      }
      case "text-end":
      case "reasoning-end":
        this.#of(part.type === "text-end" ? "text" : "reasoning", part.id, part.providerMetadata).whole = true;
        return [];
      case "tool-input-start":
        // Ignore calls that the service runs itself.
        if (part.providerExecuted === true) return [];
        this.#begin("call", part.id, undefined, part.toolName);
        return [{ type: "call.delta", tool: part.toolName }];
      case "tool-call":
        return part.providerExecuted === true ? [] : this.#call(part);
      case "response-metadata":
        this.#model = part.modelId ?? this.#model;
        return [];
      case "finish":
        this.#finish = part;
        return [];
      case "error":
        throw troubleOf(part.error);
      default:
        return [];
    }
  }

  end(): ModelEnd {
    const finish = this.#finish;
    const { unified = "other", raw } = finish?.finishReason ?? {};
    if (
      finish === undefined ||
      unified === "error" ||
      unified === "interrupted" ||
      (unified === "other" && raw === undefined)
    )
      throw new BrokenStream("the answer stream ended before the answer was complete");
    if (this.#drafts.some(({ kind, whole }) => kind === "call" && !whole))
      throw new BrokenStream("the answer stream ended in the middle of a tool call");
    const used = new Set(this.#usedIds);
    const parts = this.#drafts.flatMap((draft) => this.#part(draft, used));
    return {
      type: "end",
      kind: "answer",
      parts,
      finish: finishOf(unified, parts),
      usage: this.#usage(finish.usage),
      model: this.#model,
    };
  }

  #begin(kind: Draft["kind"], id: string, metadata?: ProviderFields, tool = ""): Draft {
    const draft: Draft = {
      kind,
      tool,
      callId: kind === "call" ? id : "",
      text: "",
      whole: false,
      metadata: metadata === undefined ? [] : [metadata],
    };
    this.#drafts.push(draft);
    this.#open.set(`${kind} ${id}`, draft);
    return draft;
  }

  #of(kind: "text" | "reasoning", id: string, metadata: ProviderFields | undefined): Draft {
    const draft = this.#open.get(`${kind} ${id}`);
    if (draft === undefined || draft.whole) return this.#begin(kind, id, metadata);
    if (metadata !== undefined) draft.metadata.push(metadata);
    return draft;
  }

  #call({
    toolCallId,
    toolName,
    input,
    providerMetadata,
  }: Extract<StreamPart, { type: "tool-call" }>): readonly ModelEvent[] {
    const begun = this.#open.get(`call ${toolCallId}`);
    const draft = begun === undefined || begun.whole ? this.#begin("call", toolCallId, undefined, toolName) : begun;
    draft.text = input;
    draft.whole = true;
    if (providerMetadata !== undefined) draft.metadata.push(providerMetadata);
    return draft === begun ? [] : [{ type: "call.delta", tool: toolName }];
  }

  #part(draft: Draft, used: Set<string>): readonly AnswerPart[] {
    const saved = this.#keep(draft.metadata, draft.kind);
    const provider: { readonly provider?: JsonObject } =
      saved === undefined ? {} : { provider: { from: this.#from, ...saved } };
    if (draft.kind === "text") {
      const { thinking, text } = splitThinking(draft.text);
      return [
        ...(thinking === "" ? [] : [{ type: "reasoning" as const, text: thinking }]),
        ...(text === "" ? [] : [{ type: "text" as const, text, ...provider }]),
      ];
    }
    if (draft.kind === "reasoning")
      return draft.text === "" && saved === undefined ? [] : [{ type: "reasoning", text: draft.text, ...provider }];
    return [
      {
        type: "tool-call",
        callId: freshCallId(draft.callId, "call", used),
        tool: draft.tool,
        args: draft.text === "" ? "{}" : draft.text,
        ...provider,
      },
    ];
  }

  #usage({ inputTokens, outputTokens }: PackageUsage) {
    if ((inputTokens.total ?? 0) === 0 && (outputTokens.total ?? 0) === 0) {
      const chars = (kind: Draft["kind"] | undefined): number =>
        this.#drafts.reduce(
          (sum, draft) => (kind === undefined || draft.kind === kind ? sum + draft.text.length : sum),
          0,
        );
      return estimatedUsage({
        request: this.#requestChars(),
        answer: chars("text") + chars("call"),
        thinking: chars("reasoning"),
      });
    }
    return {
      inputTokens: inputTokens.total ?? 0,
      outputTokens: outputTokens.total ?? 0,
      cacheReadTokens: inputTokens.cacheRead ?? 0,
      cacheWriteTokens: inputTokens.cacheWrite ?? 0,
      reasoningTokens: outputTokens.reasoning ?? 0,
    };
  }
}

function finishOf(unified: string, parts: readonly AnswerPart[]): "stop" | "tool-calls" | "length" | "filter" {
  if (unified === "length") return "length";
  if (unified === "content-filter") return "filter";
  return parts.some((part) => part.type === "tool-call") ? "tool-calls" : "stop";
}

/** An error of the package means that it could not parse the stream; any other is the service's error. */
export function troubleOf(error: unknown): Error {
  if (error instanceof Error && error.name.startsWith("AI_") && error.name !== "AI_APICallError")
    return new BrokenStream(`Hermes cannot parse the answer stream (${error.name.replace(/^AI_/, "")})`);
  const { statusCode, type, code, message } = (
    typeof error === "object" && error !== null ? error : { message: String(error) }
  ) as { readonly [name: string]: unknown };
  const complaint = complaintOf({
    error:
      typeof message === "string"
        ? {
            message,
            type,
            code,
            ...definedFields({ http_status: typeof statusCode === "number" ? statusCode : undefined }),
          }
        : error,
  });
  return complaint === undefined
    ? new BrokenStream("it contains an error without a message")
    : new StreamComplaint(complaint);
}

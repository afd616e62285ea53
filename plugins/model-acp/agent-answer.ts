import type { PromptResponse } from "@agentclientprotocol/sdk";
import {
  isObject,
  wellFormedCalls,
  type AnswerPart,
  type JsonObject,
  type ModelEnd,
  type ModelEvent,
} from "hermes-agent/plugin";
import { AgentFailure } from "./agent-failure.ts";
import { AnswerWords } from "./answer-text.ts";
import type { AgentService } from "./copilot.ts";
import { estimatedUsage, usageOf } from "./usage-of.ts";

/** Maximum number of tool titles in the log. */
const MAX_REPORTED = 20;

/** Folds the updates of one prompt into deltas and, at the end, whole parts. */
export class AgentAnswer {
  readonly #words: AnswerWords;
  #thinking = "";
  /** Whether other updates came since the last text. */
  #interrupted = false;
  /** Titles of the first own tools that the agent used. */
  readonly used: string[] = [];

  constructor(key: string) {
    this.#words = new AnswerWords(key);
  }

  take(update: JsonObject): readonly Exclude<ModelEvent, ModelEnd>[] {
    const shown = this.#shown(update);
    // The agent's own work may take minutes.
    return shown.length === 0 ? [{ type: "alive" }] : shown;
  }

  #shown(update: JsonObject): readonly Exclude<ModelEvent, ModelEnd>[] {
    const { sessionUpdate: kind, content } = update;
    if (kind === "tool_call") {
      this.#interrupted = true;
      if (this.used.length < MAX_REPORTED) this.used.push(String(update["title"] ?? update["toolCallId"]));
    }
    const text =
      isObject(content) && content["type"] === "text" && typeof content["text"] === "string" ? content["text"] : "";
    if (text === "") return [];
    if (kind === "agent_thought_chunk") {
      this.#thinking += text;
      return [{ type: "thinking.delta", text }];
    }
    return kind === "agent_message_chunk" ? this.#textDelta(text) : [];
  }

  /** Returns the withheld text and the end event. @param requestChars Length of the prompt. */
  end({ stopReason, ...more }: PromptResponse, service: AgentService, requestChars: number): readonly ModelEvent[] {
    if (stopReason === "cancelled") throw new AgentFailure("server", `${service.label} cancelled its answer.`, true);
    const { text, calls, unshown } = this.#words.end();
    const parts: readonly AnswerPart[] = [
      ...(this.#thinking === "" ? [] : [{ type: "reasoning" as const, text: this.#thinking }]),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls.map((call) => ({ type: "tool-call" as const, ...call })),
    ];
    const finish =
      stopReason === "refusal"
        ? "filter"
        : stopReason === "max_tokens" || stopReason === "max_turn_requests"
          ? "length"
          : calls.length > 0
            ? "tool-calls"
            : "stop";
    const usage =
      usageOf((more as { readonly usage?: unknown }).usage) ??
      estimatedUsage({ request: requestChars, answer: this.#words.length, thinking: this.#thinking.length });
    return [
      ...(unshown === "" ? [] : [{ type: "text.delta" as const, text: unshown }]),
      { type: "end", kind: "answer", parts: wellFormedCalls(parts), finish, usage },
    ];
  }

  #textDelta(text: string): readonly Exclude<ModelEvent, ModelEnd>[] {
    const apart = this.#words.length > 0 && this.#interrupted ? "\n\n" : "";
    this.#interrupted = false;
    const shown = this.#words.take(`${apart}${text}`);
    const { calling } = this.#words;
    return [
      ...(shown === "" ? [] : [{ type: "text.delta" as const, text: shown }]),
      ...(calling === undefined ? [] : [{ type: "call.delta" as const, tool: calling }]),
    ];
  }
}

import { randomBytes } from "node:crypto";
import type { Usage } from "../../../contract/providers/model.ts";
import { errorObject } from "../http/api-failure.ts";
import type { ApiTurnEnd } from "../conversations/turn-facts.ts";

/** One answer in the format of the OpenAI API, complete or streamed. */
export class Completion {
  readonly #head: { readonly id: string; readonly created: number; readonly model: string };

  constructor(model: string) {
    this.#head = {
      id: `chatcmpl-${randomBytes(15).toString("hex").slice(0, 29)}`,
      created: Math.floor(Date.now() / 1000),
      model,
    };
  }

  whole(end: ApiTurnEnd): object {
    const { id, ...head } = this.#head;
    return {
      id,
      object: "chat.completion",
      ...head,
      choices: [
        { index: 0, message: { role: "assistant", content: end.text }, logprobs: null, finish_reason: finishOf(end) },
      ],
      usage: usageOf(end.usage),
      ...problemOf(end),
    };
  }

  piece(delta: { readonly role?: "assistant"; readonly content?: string }): object {
    return this.#chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: null }] });
  }

  last(end: ApiTurnEnd): object {
    return this.#chunk({
      choices: [{ index: 0, delta: {}, logprobs: null, finish_reason: finishOf(end) }],
      usage: usageOf(end.usage),
      ...problemOf(end),
    });
  }

  #chunk(rest: object): object {
    const { id, ...head } = this.#head;
    return { id, object: "chat.completion.chunk", ...head, ...rest };
  }
}

function usageOf({ inputTokens, outputTokens, cacheReadTokens, reasoningTokens }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadTokens },
    completion_tokens_details: { reasoning_tokens: reasoningTokens },
  };
}

function finishOf({ reason }: ApiTurnEnd): "stop" | "length" | "error" {
  return reason === "done" ? "stop" : reason === "limit" || reason === "budget" ? "length" : "error";
}

/**
 * Reports a failed turn as an answer, not as a failed request: clients retry failed requests automatically, and the
 * agent would then do its work twice.
 */
function problemOf(end: ApiTurnEnd): object {
  if (finishOf(end) !== "error") return {};
  return errorObject(end.detail ?? (end.reason === "cancelled" ? "The turn was stopped." : "The turn failed."), {
    status: 500,
    code: end.reason === "cancelled" ? "turn_stopped" : "turn_failed",
  });
}

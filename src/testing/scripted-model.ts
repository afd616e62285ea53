import { setTimeout as wait } from "node:timers/promises";
import type { JsonObject } from "../contract/common/json.ts";
import type {
  ModelClient,
  ModelEnd,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  Usage,
} from "../contract/providers/model.ts";
import type { AnswerPart } from "../contract/conversation/part.ts";

/** One answer, as data. */
export interface ScriptedAnswer {
  readonly thinking?: string;
  readonly text?: string;
  /** `args` as an object, or as the model's own text, valid or not. Ids are `call_<answer>_<n>` unless given. */
  readonly calls?: readonly { readonly tool: string; readonly args?: JsonObject | string; readonly callId?: string }[];
  /** Default: `tool-calls` when there are calls, else `stop`. */
  readonly finish?: "stop" | "tool-calls" | "length" | "filter";
  readonly usage?: Partial<Usage>;
  /** Ends as this failure, after the text if there is one. */
  readonly failure?: Partial<ModelFailure> & { readonly code: ModelFailure["code"] };
  /**
   * `cut`: the stream stops after the text, without an end. `stall`: it says nothing more until aborted. `deaf`: nor
   * then. `throw`: the client throws.
   */
  readonly ends?: "cut" | "stall" | "deaf" | "throw";
  /** Real time before the first event. */
  readonly delayMs?: number;
}

/** Answers in order, or what a function makes of the request and its number (from 0). */
export type Script = readonly ScriptedAnswer[] | ((request: ModelRequest, number: number) => ScriptedAnswer);

export interface ScriptedModel extends ModelClient {
  /** Every request, as it was when it was made. */
  readonly requests: readonly ModelRequest[];
}

/** A model client that follows a script. A request beyond the script fails without a retry. */
export function scriptedModel(script: Script): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request, signal) {
      if (signal.aborted) return yield failure({ code: "cancelled" });
      const number = requests.length;
      requests.push(structuredClone(request));
      const answer = typeof script === "function" ? script(request, number) : script[number];
      if (answer === undefined)
        return yield failure({
          code: "bad_request",
          message: `The script has ${number} answers and was asked for one more.`,
        });
      yield* play(answer, number, signal);
    },
  };
}

async function* play(answer: ScriptedAnswer, number: number, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  if (answer.delayMs !== undefined) {
    try {
      await wait(answer.delayMs, undefined, { signal });
    } catch {
      return yield failure({ code: "cancelled" });
    }
  }
  if (answer.thinking !== undefined) yield { type: "thinking.delta", text: answer.thinking };
  for (const piece of pieces(answer.text ?? "")) yield { type: "text.delta", text: piece };
  for (const call of answer.calls ?? []) yield { type: "call.delta", tool: call.tool };
  if (answer.ends === "cut") return;
  if (answer.ends === "throw") throw new Error("the scripted client broke");
  if (answer.ends === "deaf") return void (await new Promise<never>(() => {}));
  if (answer.ends === "stall") {
    await new Promise<void>((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    return yield failure({ code: "cancelled" });
  }
  if (answer.failure !== undefined) return yield failure(answer.failure);
  yield end(answer, number);
}

function end(answer: ScriptedAnswer, number: number): ModelEnd {
  const parts: AnswerPart[] = [];
  if (answer.thinking !== undefined) parts.push({ type: "reasoning", text: answer.thinking });
  if (answer.text !== undefined) parts.push({ type: "text", text: answer.text });
  for (const [at, call] of (answer.calls ?? []).entries()) {
    const args = typeof call.args === "string" ? call.args : JSON.stringify(call.args ?? {});
    parts.push({ type: "tool-call", callId: call.callId ?? `call_${number + 1}_${at + 1}`, tool: call.tool, args });
  }
  const usage = {
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...answer.usage,
  };
  return {
    type: "end",
    kind: "answer",
    parts,
    finish: answer.finish ?? ((answer.calls ?? []).length > 0 ? "tool-calls" : "stop"),
    usage,
  };
}

function failure(wanted: Partial<ModelFailure> & { readonly code: ModelFailure["code"] }): ModelEnd {
  const retryable = ["rate_limit", "overloaded", "server", "network", "timeout"].includes(wanted.code);
  return {
    type: "end",
    kind: "failure",
    failure: { message: `The scripted model failed: ${wanted.code}.`, retryable, ...wanted },
  };
}

/** Whole characters, a few at a time. */
function pieces(text: string): readonly string[] {
  return text.match(/.{1,8}/gsu) ?? [];
}

import type { Clock } from "../../contract/common/clock.ts";
import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { ContextEngine, ContextState } from "../../contract/providers/context-engine.ts";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Usage } from "../../contract/providers/model.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { RecentMap } from "../../contract/common/recent-map.ts";
import { sumOfUsage } from "../../contract/common/usage.ts";
import { bounded } from "../../engine/async/bounded.ts";
import type { ContextManager, ManagedContext, ModelInUse, Shortened } from "../../engine/ports.ts";
import { watchStream } from "../../engine/turn/watch-stream.ts";
import type { SlotRegistry, SlotEntry } from "../tools/slots.ts";

export interface ContextManagerPorts {
  readonly slots: Pick<SlotRegistry, "chosen" | "get">;
  readonly clock: Clock;
  readonly log: Logger;
  /** Notifies the user, once for each text. */
  report?(text: string, hint: string): void;
  config(path: string): Json | undefined;
  redact(text: string): string;
  /** The model for side tasks of that name. */
  auxiliary(task: string): Promise<Model>;
  /** Content that the memory provider wants to preserve; "" for none. */
  memoryContext(messages: readonly ChatMessage[]): Promise<string>;
}

type Model = Omit<ModelInUse, "fallbacks">;

const ASK_MS = 120_000;
const ENGINE_MS = 10_000;
/** If an engine shortens nothing, it is not asked again automatically for a while. */
const REST_MS = 60_000;
/** How often the savings may be too small before that. */
const LITTLE = 0.1;
const IDLE_RUNS = 2;
/** Share of the window from which on a conversation is compacted however little that saves. */
const FULL = 0.97;

/** Number of remembered conversations; an engine starts over for others. */
const CONVERSATIONS = 500;

interface Story {
  /** Absent: the engine does not know it yet, or failed. */
  begun: Promise<void> | undefined;
  restsUntil: number;
  idle: number;
  model: string;
}

/** One context engine over all conversations of the process. */
export class EngineContextManager implements ContextManager {
  readonly #ports: ContextManagerPorts;
  readonly #entry: SlotEntry<"context">;
  readonly #stories = new RecentMap<string, Story>(CONVERSATIONS);
  #failure: string | undefined;

  constructor(ports: ContextManagerPorts, entry: SlotEntry<"context">) {
    this.#ports = ports;
    this.#entry = entry;
  }

  /** Why the engine failed in the last call; `undefined` if it did not. */
  get failure(): string | undefined {
    return this.#failure;
  }

  async due(state: ManagedContext): Promise<boolean> {
    this.#failure = undefined;
    const { clock, log } = this.#ports;
    const story = this.#story(state);
    // A request that no longer fits would be refused, or cut by a server that does not say so.
    const full = state.tokens >= state.model.contextTokens * FULL;
    if ((story.idle >= IDLE_RUNS && !full) || clock.now() < story.restsUntil) return false;
    try {
      const engine = await this.#entry.load();
      await this.#report(engine, story, state);
      const messages = await state.messages();
      return (
        (await this.#inTime(async () => engine.should_compress(messages, state.model.model, about(state)))) === true
      );
    } catch (cause) {
      story.restsUntil = clock.now() + REST_MS;
      this.#failure = wordsOf(cause);
      log.warning(`The context engine "${this.#entry.id}" failed to decide whether to compact: ${wordsOf(cause)}`, {
        cause,
      });
      return false;
    }
  }

  async compress(
    state: ManagedContext,
    {
      focus,
      force,
      signal,
    }: { readonly focus: string | undefined; readonly force: boolean; readonly signal: AbortSignal },
  ): Promise<Shortened> {
    this.#failure = undefined;
    const { clock, log } = this.#ports;
    const story = this.#story(state);
    const given = await state.messages();
    const spent: Usage[] = [];
    const costs: (number | undefined)[] = [];
    try {
      const engine = await this.#entry.load();
      await this.#report(engine, story, state);
      const messages = await engine.compress(given, state.model.model, {
        ...about(state),
        current_tokens: state.tokens,
        focus_topic: focus ?? null,
        force,
        memory_context: await this.#ports.memoryContext(given),
        signal,
        ask: async (question) => {
          const { text, usage, cost } = await this.#ask(state, question, signal);
          spent.push(usage);
          costs.push(cost);
          return text;
        },
      });
      if (!Array.isArray(messages)) throw new Error("it did not return a list of messages");
      const saved = 1 - sizeOf(messages as readonly ChatMessage[]) / Math.max(1, sizeOf(given));
      story.idle = saved < LITTLE && !force ? story.idle + 1 : 0;
      story.restsUntil = 0;
      if (story.idle === IDLE_RUNS)
        log.warning(
          `Compacting no longer makes the conversation ${state.sessionId} much shorter; Hermes compacts it again only with /compress.`,
        );
      return {
        engine: this.#entry.id,
        messages: messages as readonly ChatMessage[],
        ...(spent.length === 0 ? {} : { usage: spent.reduce(sumOfUsage), costUsd: sumOfCosts(costs) }),
      };
    } catch (cause) {
      story.restsUntil = clock.now() + REST_MS;
      if (!signal.aborted) this.#failure = wordsOf(cause);
      throw new Error(`The context engine "${this.#entry.id}" did not compact the conversation: ${wordsOf(cause)}`, {
        cause,
      });
    }
  }

  async answered(
    sessionId: string,
    model: Model,
    { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage,
  ): Promise<void> {
    try {
      const engine = await this.#entry.load();
      if (this.#stories.get(sessionId) === undefined) return; // It was never asked about this conversation.
      await this.#inTime(async () =>
        engine.update_from_response?.({
          prompt_tokens: inputTokens,
          completion_tokens: outputTokens,
          total_tokens: inputTokens + outputTokens,
          cache_read_tokens: cacheReadTokens,
          cache_write_tokens: cacheWriteTokens,
        }),
      );
    } catch (cause) {
      this.#failure = wordsOf(cause);
      this.#ports.log.warning(
        `The context engine "${this.#entry.id}" failed to record the usage of ${model.model}: ${wordsOf(cause)}`,
        { cause },
      );
    }
  }

  #story({ sessionId }: ManagedContext): Story {
    let story = this.#stories.get(sessionId);
    if (story === undefined)
      this.#stories.set(sessionId, (story = { begun: undefined, restsUntil: 0, idle: 0, model: "" }));
    return story;
  }

  /** Tells the engine of a conversation it does not know yet, and of the model it is had with now. */
  async #report(engine: ContextEngine, story: Story, { sessionId, surface, model }: ManagedContext): Promise<void> {
    story.begun ??= this.#inTime(async () => void (await engine.on_session_start?.(sessionId, { platform: surface })));
    try {
      await story.begun;
    } catch (cause) {
      story.begun = undefined;
      throw cause;
    }
    const way = `${model.provider}/${model.model}/${model.contextTokens}`;
    if (story.model !== way)
      await this.#inTime(async () =>
        engine.update_model?.({ model: model.model, context_length: model.contextTokens, provider: model.provider }),
      );
    story.model = way;
  }

  async #inTime<T>(ask: () => Promise<T>): Promise<T> {
    const answer = await bounded(ask(), ENGINE_MS, this.#ports.clock);
    if (answer.kind === "timeout") throw new Error(`it did not answer within ${ENGINE_MS / 1000} s`);
    return answer.value;
  }

  /** The side model; the one in use where that cannot answer. */
  async #ask(
    state: ManagedContext,
    question: { readonly system: string; readonly text: string; readonly maxOutputTokens: number },
    signal: AbortSignal,
  ): Promise<{ readonly text: string; readonly usage: Usage; readonly cost: number | undefined }> {
    const side = await this.#ports.auxiliary("compression").catch(() => state.model);
    let last: unknown;
    for (const model of side.model === state.model.model && side.provider === state.model.provider
      ? [state.model]
      : [side, state.model]) {
      const end = await watchStream(
        model.client,
        {
          model: model.model,
          system: question.system,
          tools: [],
          messages: [{ role: "user", parts: [{ type: "text", text: this.#ports.redact(question.text) }] }],
          maxOutputTokens: question.maxOutputTokens,
          sessionId: state.sessionId,
          purpose: { kind: "compaction", sessionId: state.sessionId },
          connectMs: 30_000,
        },
        {
          clock: this.#ports.clock,
          limits: { firstEventMs: ASK_MS, betweenEventsMs: ASK_MS, totalMs: ASK_MS },
          signal,
          onDelta: () => {},
        },
      );
      signal.throwIfAborted();
      if (end.kind === "answer" && textOf(end.parts).trim() !== "")
        return { text: textOf(end.parts).trim(), usage: end.usage, cost: end.costUsd };
      last = end.kind === "failure" ? end.failure.message : `${model.model} returned no text.`;
    }
    throw new Error(String(last));
  }
}

function about({ sessionId, model, tokens, fixedTokens, compactions }: ManagedContext): ContextState {
  return {
    session_id: sessionId,
    prompt_tokens: tokens,
    fixed_tokens: fixedTokens,
    context_length: model.contextTokens,
    max_output_tokens: model.maxOutputTokens ?? 0,
    compression_count: compactions,
  };
}

/** Unknown as soon as one is unknown. */
function sumOfCosts(costs: readonly (number | undefined)[]): number | undefined {
  return costs.reduce((sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost), 0);
}

function sizeOf(messages: readonly ChatMessage[]): number {
  return messages.reduce(
    (size, { content, tool_calls }) =>
      size +
      (content ?? "").length +
      (tool_calls ?? []).reduce((sum, call) => sum + (call.function?.arguments ?? "").length, 0),
    0,
  );
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

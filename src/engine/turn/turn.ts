import type { Fact, TurnEndReason } from "../../contract/conversation/fact.ts";
import { UserError } from "../../contract/common/failure.ts";
import type {
  ModelDelta,
  ModelEnd,
  ModelFailure,
  ModelRequest,
  RequestPurpose,
  Usage,
} from "../../contract/providers/model.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { TurnEnd } from "../../contract/conversation/session.ts";
import { abortable } from "../async/abortable.ts";
import { managedContext, nextTokens, shorten } from "./compaction.ts";
import { askInside, rewriteRequest } from "./llm-middleware.ts";
import { observeCalls, type Received } from "../arguments/observe-calls.ts";
import { LoopDetection } from "./loop-detection.ts";
import type { runCalls as RunCalls } from "../dispatch/run-calls.ts";
import { folderNotes } from "../dispatch/folder-notes.ts";
import { ModelLine, type LineModel } from "./model-line.ts";
import { emptyAnswers, nextStep, type AnswerItem, type Step } from "./next-step.ts";
import { LONGEST_WAIT_MS, remedy } from "./retry.ts";
import { raiseBudget } from "./raise-budget.ts";
import { settleFacts } from "../dispatch/settle.ts";
import type { OpenTurn } from "../transcript/transcript.ts";
import { estimateTokens } from "./token-estimate.ts";
import { WordsOnTheWay } from "../arguments/words-on-the-way.ts";
import { storedParts } from "../transcript/stored-parts.ts";
import { TurnHooks } from "./turn-hooks.ts";
import { watchStream } from "./watch-stream.ts";
import type { TurnResources } from "./turn-resources.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** The reason with which a turn is stopped; its message is the detail of the turn's end. */
export class TurnStopped extends Error {
  override readonly name = "TurnStopped";
}

/** How often a conversation is shortened because a model found one request too long. */
const MAX_SHORTENED = 2;
/** With a fallback at hand, a service that does not even accept a connection counts as down. */
const QUICK_CONNECT_MS = 1_500;
/** With a fallback at hand, a model gets so many chances to say something. */
const MAX_EMPTY_WITH_FALLBACK = 3;
/** No model reads less. */
const LEAST_WINDOW = 2_048;

interface Ending {
  readonly reason: TurnEndReason;
  readonly detail?: string;
  readonly facts?: readonly Fact[];
}

/**
 * Runs the open turn from the first missing step to its end. The next step is computed from the facts each time, so new
 * and interrupted turns follow the same path.
 * @throws The store's error: then the end could not be written.
 */
export async function runTurn(resources: TurnResources, signal: AbortSignal): Promise<TurnEnd> {
  const { transcript, ports } = resources;
  const turn = transcript.open!;
  const work = new Turn(resources, turn, signal);
  let ending: Ending;
  try {
    ending = await work.run();
  } catch (cause) {
    if (resources.conflict() !== undefined) throw resources.conflict();
    if (signal.aborted) ending = { reason: "cancelled", detail: stopReason(signal) };
    else {
      ports.log.error(`Turn "${turn.turnId}" broke.`, { cause });
      ending = {
        reason: "failed",
        detail:
          cause instanceof UserError
            ? [cause.message, cause.hint].filter(Boolean).join(" ")
            : `The turn failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      };
    }
  }
  const leftovers = transcript.unsettled().filter((call) => call.turnId === turn.turnId && transcript.isModels(call));
  const why =
    ending.reason === "cancelled" ? (ending.detail ?? "the turn was stopped") : `the turn ended (${ending.reason})`;
  await resources.write([
    ...(turn.asking !== undefined && ending.facts === undefined
      ? [interruptedRequest(turn, ending)]
      : (ending.facts ?? [])),
    ...leftovers.flatMap((call) => settleFacts(call, why)),
    {
      type: "turn.ended",
      turnId: turn.turnId,
      reason: ending.reason,
      detail: ending.detail,
    },
  ]);
  return turnEnd(turn, ending.reason, await work.hooks.ended(ending.reason), ending.detail);
}

class Turn {
  readonly #service: TurnResources;
  readonly #turn: OpenTurn;
  readonly #signal: AbortSignal;
  readonly hooks: TurnHooks;
  #line: ModelLine | undefined;
  #injected: string | undefined;
  readonly #loops = new LoopDetection();
  /** The user knows that a fallback answers. */
  #reported = false;

  constructor(resources: TurnResources, turn: OpenTurn, signal: AbortSignal) {
    this.#service = resources;
    this.#turn = turn;
    this.#signal = signal;
    this.hooks = new TurnHooks(resources, turn, signal);
  }

  async run(): Promise<Ending> {
    const { ports, sessionId } = this.#service;
    const answers = this.#turn.items.filter((item): item is AnswerItem => item.kind === "answer");
    if (answers.length > 0) (await import("../dispatch/run-calls.ts")).recountLoops(answers, this.#loops);
    let runCalls: typeof RunCalls | undefined;
    let notes: readonly string[] = [];
    let opened = false;
    while (true) {
      this.#signal.throwIfAborted();
      const step = nextStep(this.#turn, ports.config);
      if (step.kind === "end") {
        const sentOn = step.reason === "done" ? await this.hooks.verify() : undefined;
        if (sentOn === undefined) return { reason: step.reason, detail: step.detail };
        await this.#service.write([this.#note(sentOn)]);
        continue;
      }
      if (step.kind === "run") {
        runCalls ??= (await import("../dispatch/run-calls.ts")).runCalls;
        notes = [
          ...(await runCalls(this.#service, step.answer, this.#loops, this.#signal)),
          ...(await folderNotes(this.#service, step.answer)),
        ];
        continue;
      }
      this.#line ??= new ModelLine(
        await abortable(ports.model({ sessionId, chosen: this.#service.transcript.model }), this.#signal),
      );
      this.hooks.model = this.#line.first.model;
      if (!opened && this.#line.current.window?.asked !== undefined)
        await abortable(this.#line.current.window.asked, this.#signal);
      const opening = opened ? [] : await this.#open();
      opened = true;
      const before = [
        ...opening,
        ...notes.map((note) => this.#note(note)),
        ...step.notes.map((note) => this.#note(note)),
        ...this.#steers(),
      ];
      const failed = await this.#ask(step, await this.#inLength(before));
      notes = [];
      if (failed !== undefined) return failed;
    }
  }

  /** The work before the first request of a turn. */
  async #open(): Promise<readonly Fact[]> {
    const { ports, transcript, sessionId, surface, prompter, cwd } = this.#service;
    this.#injected = await this.hooks.begin();
    if (transcript.prefix !== undefined) return [];
    const prefix = await abortable(
      ports.prefix({
        sessionId,
        surface,
        prompter,
        cwd,
        model: this.#line!.first.model,
        contextTokens: this.#line!.current.contextTokens,
      }),
      this.#signal,
    );
    return [{ type: "prefix.fixed", ...prefix, reason: "first turn" }];
  }

  #note(text: string): Fact {
    return { type: "message.added", turnId: this.#turn.turnId, origin: "system", parts: [{ type: "text", text }] };
  }

  /** Steering input is taken in where a tool result can carry it. */
  #steers(): readonly Fact[] {
    const last = this.#turn.items.at(-1);
    if (last?.kind !== "answer" || last.calls.length === 0) return [];
    return [...this.#service.transcript.queued.values()]
      .filter((input) => input.mode === "steer")
      .map(({ inputId, origin, parts }): Fact => ({
        type: "message.added",
        turnId: this.#turn.turnId,
        origin,
        parts,
        inputId,
      }));
  }

  /** Shortens the conversation when it is time. Returns the facts that still have to be written. */
  async #inLength(facts: readonly Fact[]): Promise<readonly Fact[]> {
    const { ports, transcript } = this.#service;
    const prefix = facts.find((fact) => fact.type === "prefix.fixed") ?? transcript.prefix;
    const model = this.#line!.current;
    if (ports.context === undefined || prefix === undefined) return facts;
    if (
      !(await abortable(
        ports.context.due(managedContext(this.#service, model, nextTokens(this.#service, prefix), prefix)),
        this.#signal,
      ))
    )
      return facts;
    await this.#service.write(facts);
    await this.#shorten(model, false);
    return [];
  }

  async #shorten(model: LineModel, force: boolean): Promise<boolean> {
    const { ports } = this.#service;
    this.#service.live({
      type: "model.waiting",
      text: "The conversation is long; a summary replaces its beginning.",
      untilAt: ports.clock.now(),
    });
    try {
      return (
        (await abortable(shorten(this.#service, model, { force, signal: this.#signal }), this.#signal)) !== undefined
      );
    } catch (cause) {
      if (this.#signal.aborted || this.#service.conflict() !== undefined) throw cause;
      ports.log.warning(
        `The conversation was not shortened: ${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
      return false;
    }
  }

  /** One answer, however many requests it takes. Returns how the turn ends when there is none. */
  async #ask(step: Extract<Step, { kind: "ask" }>, before: readonly Fact[]): Promise<Ending | undefined> {
    const { ports, transcript, sessionId } = this.#service;
    const { turnId } = this.#turn;
    const line = this.#line!;
    if (line.restsFirst && !this.#reported)
      this.#wait(`${line.first.health?.reason ?? ""} ${line.current.model} answers meanwhile.`.trim(), 0);
    this.#reported = true;
    let tries = 0;
    let broken = 0;
    let shortened = 0;
    let facts = before;
    for (let attempt = 1; ; attempt++) {
      const model = line.current;
      tries++;
      const requestId = ports.ids("request");
      const prefixHash = (facts.find((fact) => fact.type === "prefix.fixed") ?? transcript.prefix)!.hash;
      const asked: Fact = { type: "model.asked", turnId, requestId, model: model.model, prefixHash, attempt };
      /** Results of calls that only read. */
      const results = this.#service.holding();
      // It says no more than "ask again", as its absence does: it need not be on disk before the request goes out.
      if (facts.every(({ type }) => type === "prefix.fixed")) this.#service.hold([...facts, asked]);
      else await this.#service.write([...facts, asked]);
      const kind = this.#kindOf(attempt);
      const asking = await this.#request(model, { kind, sessionId, turnId, requestId }, step, () => {
        if (results) this.#service.flush().catch(() => {}); // `stored` rejects, too.
        return this.#service.stored();
      });
      const { durationMs, streamed, shown, unshown } = asking;
      const end = this.#usable(asking.end, model);
      if (end.kind === "answer") {
        line.answered();
        const received: Received = step.last ? end : await observeCalls(this.#service, end);
        if (received.parts === end.parts && unshown !== "") this.#service.live({ type: "text.delta", text: unshown });
        await this.#answered(model, requestId, end, received, durationMs);
        await this.#measure(model, asking.sent, end.usage);
        for (const notice of ports.budgets?.notices(sessionId) ?? []) this.#wait(notice, 0);
        return undefined;
      }
      const failure: ModelFailure = { ...end.failure, message: ports.redact(end.failure.message) };
      const failed: Fact = { type: "model.failed", turnId, requestId, failure };
      if (this.#signal.aborted)
        return {
          reason: "cancelled",
          detail: stopReason(this.#signal),
          facts: [shown.trim() === "" ? failed : { ...failed, text: shown }],
        };
      if (failure.code === "budget") {
        if (!(await raiseBudget(this.#service, this.#signal)))
          return { reason: "budget", detail: failure.message, facts: [failed] };
        facts = [failed];
        tries = 0;
        continue;
      }
      const window = failure.code === "context_overflow" ? this.#learn(failure, model, asking.sent) : 0;
      const more = line.more(window);
      if (streamed) broken++;
      let untold: readonly Fact[] = [failed];
      if (failure.code === "context_overflow" && shortened++ < MAX_SHORTENED && ports.context !== undefined) {
        await this.#service.write(untold);
        untold = [];
        if (await this.#shorten(line.current, true)) {
          tries = 0;
          facts = [];
          continue;
        }
      }
      const { maxRetries, maxStreamRetries, maxWaitMs } = ports.config;
      const limits = {
        maxRetries: broken > maxStreamRetries ? 0 : maxRetries,
        more,
        probe: line.probing,
        maxWaitMs,
      };
      const next = remedy(failure, tries, limits, ports.chance);
      await this.hooks.failed(model, requestId, failure, tries, durationMs);
      if (next.kind === "stop") {
        line.failed(failure);
        return { reason: "failed", detail: failureDetail(failure, tries, model.model), facts: untold };
      }
      if (next.kind === "wait") {
        // A broken answer was paid for: fewer of those are asked for again.
        const attempts = Math.min(more ? 1 : maxRetries, streamed ? tries + maxStreamRetries - broken : Infinity) + 1;
        const what = streamed ? "The answer was cut off; retrying" : "Retrying";
        const times = `attempt ${tries + 1} of ${Math.max(attempts, tries + 1)}`;
        this.#wait(`${failure.message} ${what} in ${Math.ceil(next.ms / 1000)} s (${times}).`, next.ms);
        try {
          await ports.clock.sleep(next.ms, this.#signal);
        } catch {
          return { reason: "cancelled", detail: stopReason(this.#signal), facts: untold }; // Only the signal ends a sleep.
        }
      } else {
        line.skip(failure, window);
        tries = 0;
        broken = 0;
        const tooLong =
          failure.retryable && (failure.retryAfterMs ?? 0) > maxWaitMs
            ? ` It asks to wait ${Math.ceil(failure.retryAfterMs! / 1000)} s, longer than the limit of ${maxWaitMs / 1000} s (agent.retry_after_limit).`
            : "";
        this.#wait(`${failure.message}${tooLong} Falling back to ${line.current.model}.`, 0);
      }
      facts = untold;
    }
  }

  #kindOf(attempt: number): string {
    const { current, first } = this.#line!;
    if (current.model !== first.model || current.provider !== first.provider) return "fallback";
    if (attempt > 1) return "retry";
    return this.#service.transcript.subagent === undefined ? "turn" : "subagent";
  }

  /** What the user reads while no answer comes. */
  #wait(text: string, ms: number): void {
    this.#service.live({ type: "model.waiting", text, untilAt: this.#service.ports.clock.now() + ms });
  }

  /** An answer that says nothing is a failure while another model could answer. */
  #usable(end: ModelEnd, model: LineModel): ModelEnd {
    if (end.kind !== "answer" || !this.#line!.more()) return end;
    if (end.parts.some((part) => part.type === "tool-call")) return end;
    if (end.finish === "filter") return unusable("refused", `The content filter of ${model.model} ended the answer.`);
    if (end.finish !== "stop" || textOf(end.parts).trim() !== "") return end;
    const empty = emptyAnswers(this.#turn) + 1;
    return empty < MAX_EMPTY_WITH_FALLBACK
      ? end
      : unusable("bad_response", `${model.model} gave ${empty} empty answers in a row.`);
  }

  /** A request was too long. Returns the window that the model has at most. */
  #learn({ contextTokens }: ModelFailure, model: LineModel, sent: () => number): number {
    if (contextTokens !== undefined) model.window?.refused(contextTokens);
    const window = Math.min(contextTokens ?? Math.max(sent(), LEAST_WINDOW), model.contextTokens);
    this.#line!.shrink(window);
    return window;
  }

  /** Compares what was sent with what the service counted: some read only the end of a long request, and say nothing. */
  async #measure(model: LineModel, sent: () => number, usage: Usage): Promise<void> {
    if (model.window === undefined) return;
    const measuring = model.window.answered({ sessionId: this.#service.sessionId, sent: sent(), usage });
    if (measuring === undefined) return;
    const notice = await abortable(measuring, this.#signal);
    if (notice !== undefined) this.#wait(notice, 0);
  }

  async #request(
    model: LineModel,
    purpose: RequestPurpose & { readonly requestId: string },
    step: Extract<Step, { kind: "ask" }>,
    /** Stores what the request contains. */
    store: () => Promise<void>,
  ): Promise<{
    readonly end: ModelEnd;
    readonly durationMs: number;
    readonly streamed: boolean;
    readonly shown: string;
    readonly unshown: string;
    /** Tokens of the request, estimated. */
    sent(): number;
  }> {
    const { ports, transcript, sessionId } = this.#service;
    const { requestId } = purpose;
    const { clock, config } = ports;
    const prefix = transcript.prefix!;
    const limit =
      model.maxOutputTokens === undefined
        ? undefined
        : Math.max(model.maxOutputTokens, Math.min(model.maxOutputTokens * 2 ** step.grow, 32_768));
    const request: ModelRequest = definedFields({
      model: model.model,
      system: prefix.system,
      tools: prefix.tools,
      messages: transcript.messages(
        this.#injected === undefined ? undefined : { turnId: this.#turn.turnId, text: this.#injected },
      ),
      toolChoice: step.last ? ("none" as const) : undefined,
      maxOutputTokens: limit,
      reasoningEffort: model.reasoningEffort,
      sessionId,
      purpose,
      connectMs: this.#line!.more() ? Math.min(config.connectMs, QUICK_CONNECT_MS) : config.connectMs,
    });
    const info = this.hooks.requestInfo(model, requestId);
    // The facts that the request contains may not be on disk yet. No one sees it before; a client that waits stores
    // them and prepares it meanwhile.
    const observed =
      model.client.waits !== true ||
      ports.hooks.has("pre_api_request") ||
      ports.middlewares.has("llm_request") ||
      ports.middlewares.has("llm_execution");
    if (observed) await store();
    const rewritten = await rewriteRequest(this.#service, info, request, this.#signal);
    await this.hooks.asking(model, requestId, rewritten);
    let streamed = false;
    let shown = "";
    const words = new WordsOnTheWay();
    const startedAt = clock.elapsed();
    using _ = ports.whileAsking?.(prefix.tools.map(({ name }) => name));
    const onDelta = (delta: ModelDelta): void => {
      if (delta.type !== "text.delta") return this.#service.live(delta);
      streamed = true;
      const text = words.take(delta.text);
      shown += text;
      if (text !== "") this.#service.live({ type: "text.delta", text });
    };
    const limits = model.limits === undefined ? config : { ...config, ...model.limits };
    const end = await askInside(
      this.#service,
      info,
      observed ? rewritten : { ...rewritten, store },
      request,
      { signal: this.#signal, totalMs: limits.totalMs },
      (last) => watchStream(model.client, last, { clock, limits, signal: this.#signal, onDelta }),
    );
    // Words that no model streamed are a middleware's own.
    if (end.kind === "answer" && !streamed && ports.middlewares.has("llm_execution"))
      this.#service.live({ type: "text.delta", text: textOf(end.parts) });
    return {
      end,
      durationMs: clock.elapsed() - startedAt,
      streamed,
      shown,
      unshown: words.pending.toWellFormed(),
      sent: () => estimateTokens(rewritten),
    };
  }

  async #answered(
    model: LineModel,
    requestId: string,
    end: Extract<ModelEnd, { kind: "answer" }>,
    received: Received,
    durationMs: number,
  ): Promise<void> {
    const { ports, transcript } = this.#service;
    const parts = storedParts(
      received.parts,
      (callId) => transcript.calls.has(callId),
      () => ports.ids("call"),
    );
    const answered: Fact = {
      type: "model.answered",
      turnId: this.#turn.turnId,
      requestId,
      parts,
      finish: received.finish,
      usage: end.usage,
      costUsd: end.costUsd,
    };
    // Stored with the start of its first call, which nothing can overtake; not if other code may take time before that.
    const facts = received.note === undefined ? [answered] : [answered, this.#note(received.note)];
    if (
      ports.hooks.has("post_api_request") ||
      ports.hooks.has("pre_tool_call") ||
      ports.middlewares.has("tool_request")
    )
      await this.#service.write(facts);
    else this.#service.hold(facts);
    await this.hooks.answered(model, requestId, end, parts, durationMs);
    await ports.context?.answered(this.#service.sessionId, model, end.usage);
  }
}

export function turnEnd(turn: OpenTurn, reason: TurnEndReason, text: string, detail: string | undefined): TurnEnd {
  return {
    turnId: turn.turnId,
    reason,
    text,
    detail,
    usage: turn.usage,
    requests: turn.attempts,
    toolCalls: turn.toolCalls,
  };
}

function unusable(code: ModelFailure["code"], message: string): ModelEnd {
  return { type: "end", kind: "failure", failure: { code, message, retryable: false } };
}

function failureDetail(failure: ModelFailure, tries: number, model: string): string {
  if (failure.code === "context_overflow")
    return `The conversation is longer than ${model} can read: ${failure.message} Start a new session, or choose a model with a larger window.`;
  const later =
    failure.retryable && failure.retryAfterMs !== undefined && failure.retryAfterMs > LONGEST_WAIT_MS
      ? ` Try again in ${roughly(failure.retryAfterMs)}; \`hermes fallback add\` adds a model that answers meanwhile.`
      : "";
  return tries > 1 ? `${failure.message} (${model}, asked ${tries} times)${later}` : `${failure.message}${later}`;
}

function roughly(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120
    ? `${minutes} minutes`
    : minutes < 2880
      ? `${Math.ceil(minutes / 60)} hours`
      : `${Math.ceil(minutes / 1440)} days`;
}

function interruptedRequest(turn: OpenTurn, ending: Ending): Fact {
  return {
    type: "model.failed",
    turnId: turn.turnId,
    requestId: turn.asking!,
    failure: { code: "cancelled", message: ending.detail ?? "The request was interrupted.", retryable: true },
  };
}

function stopReason(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
}

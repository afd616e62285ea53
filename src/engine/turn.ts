import type { Fact, Live, TurnEndReason } from "../contract/fact.ts";
import { UserError } from "../contract/failure.ts";
import type { RequestInfo, TurnInfo } from "../contract/hook.ts";
import type { ModelEnd, ModelFailure, ModelRequest } from "../contract/model.ts";
import { textOf } from "../contract/part.ts";
import type { TurnEnd } from "../contract/session.ts";
import { abortable } from "./abortable.ts";
import { guestText } from "./guest-text.ts";
import { LoopDetection } from "./loop-detection.ts";
import { folderNotes } from "./folder-notes.ts";
import { finalText, nextStep, type AnswerItem, type Step } from "./next-step.ts";
import type { CallSession, ModelInUse, SessionPorts } from "./ports.ts";
import { remedy } from "./retry.ts";
import { recountLoops, runCalls } from "./run-calls.ts";
import { settleFacts } from "./settle.ts";
import type { OpenTurn, Transcript } from "./transcript.ts";
import { storedParts } from "./stored-parts.ts";
import { watchStream } from "./watch-stream.ts";

/** What a turn works with. The session makes it and owns all of it. */
export interface TurnDesk {
  readonly ports: SessionPorts;
  readonly sessionId: string;
  readonly surface: string;
  readonly cwd: string;
  readonly person: boolean;
  readonly transcript: Transcript;
  /** Durable, applied to the transcript and shown when it resolves. */
  write(facts: readonly Fact[]): Promise<void>;
  live(live: Live): void;
  /** The session as dispatch sees it now. */
  calls(): CallSession;
  /** Why nothing can be written any more, once that is so. */
  conflict(): Error | undefined;
  /** Observers that may end after the turn. */
  background(work: Promise<unknown>): void;
}

/** What a turn is stopped with; the message is the detail of its end. */
export class TurnStopped extends Error {
  override readonly name = "TurnStopped";
}

interface Ending {
  readonly reason: TurnEndReason;
  readonly detail?: string;
  readonly facts?: readonly Fact[];
}

const MAX_VERIFIED = 3;

/**
 * Carries the open turn on from the first thing that is missing until it has ended. What comes next is read from the facts each time,
 * so a turn that begins and one that was interrupted take the same road.
 * @throws What the store throws: then the end could not be written.
 */
export async function runTurn(desk: TurnDesk, signal: AbortSignal): Promise<TurnEnd> {
  const { transcript, ports } = desk;
  const turn = transcript.open!;
  const work = new Turn(desk, turn, signal);
  let ending: Ending;
  try {
    ending = await work.run();
  } catch (cause) {
    if (desk.conflict() !== undefined) throw desk.conflict();
    if (signal.aborted) ending = { reason: "cancelled", detail: stopReason(signal) };
    else {
      ports.log.error(`Turn "${turn.turnId}" broke.`, { cause });
      ending = { reason: "failed", detail: cause instanceof UserError ? [cause.message, cause.hint].filter(Boolean).join(" ") : `Something broke inside the turn: ${cause instanceof Error ? cause.message : String(cause)}` };
    }
  }
  const leftovers = transcript.unsettled().filter((call) => call.turnId === turn.turnId && transcript.isModels(call));
  const why = ending.reason === "cancelled" ? (ending.detail ?? "the turn was stopped") : `the turn ended (${ending.reason})`;
  await desk.write([
    ...(turn.asking !== undefined && ending.facts === undefined ? [interruptedRequest(turn, ending)] : (ending.facts ?? [])),
    ...leftovers.flatMap((call) => settleFacts(call, why)),
    { type: "turn.ended", turnId: turn.turnId, reason: ending.reason, ...(ending.detail === undefined ? {} : { detail: ending.detail }) },
  ]);
  return work.tell(ending);
}

class Turn {
  readonly #desk: TurnDesk;
  readonly #turn: OpenTurn;
  readonly #signal: AbortSignal;
  #model: ModelInUse | undefined;
  #guest: string | undefined;
  #verified = 0;
  readonly #loops = new LoopDetection();

  constructor(desk: TurnDesk, turn: OpenTurn, signal: AbortSignal) {
    this.#desk = desk;
    this.#turn = turn;
    this.#signal = signal;
  }

  async run(): Promise<Ending> {
    const { ports, sessionId } = this.#desk;
    recountLoops(this.#turn.items.filter((item): item is AnswerItem => item.kind === "answer"), this.#loops);
    let notes: readonly string[] = [];
    let opened = false;
    while (true) {
      this.#signal.throwIfAborted();
      const step = nextStep(this.#turn, ports.config);
      if (step.kind === "end") {
        const sentOn = await this.#verify(step);
        if (sentOn === undefined) return { reason: step.reason, ...(step.detail === undefined ? {} : { detail: step.detail }) };
        await this.#desk.write([this.#note(sentOn)]);
        continue;
      }
      if (step.kind === "run") {
        notes = [...(await runCalls(this.#desk, step.answer, this.#loops, this.#signal)), ...(await folderNotes(this.#desk, step.answer))];
        continue;
      }
      this.#model ??= await abortable(ports.model({ sessionId, chosen: this.#desk.transcript.model }), this.#signal);
      const opening = opened ? [] : await this.#open();
      opened = true;
      const failed = await this.#ask(step, [...opening, ...notes.map((note) => this.#note(note)), ...step.notes.map((note) => this.#note(note)), ...this.#steers()]);
      notes = [];
      if (failed !== undefined) return failed;
    }
  }

  /** What happens once before the first request of a turn. */
  async #open(): Promise<readonly Fact[]> {
    const { ports, transcript, sessionId, surface, person, cwd } = this.#desk;
    const { hooks } = ports;
    const first = transcript.turns === 1;
    if (first && hooks.has("on_session_start")) await abortable(hooks.observe("on_session_start", this.#session()), this.#signal);
    if (hooks.has("pre_llm_call")) {
      const payload = { ...this.#info(), user_message: this.#userMessage(), conversation_history: transcript.messages(), is_first_turn: first };
      const pieces = await abortable(hooks.collect("pre_llm_call", payload), this.#signal);
      const guest = guestText(pieces.map(({ piece }) => piece));
      this.#guest = guest === undefined ? undefined : ports.redact(guest);
    }
    if (transcript.prefix !== undefined) return [];
    const prefix = await abortable(ports.prefix({ sessionId, surface, person, cwd, model: this.#model!.model }), this.#signal);
    return [{ type: "prefix.fixed", ...prefix, reason: "first turn" }];
  }

  #note(text: string): Fact {
    return { type: "message.added", turnId: this.#turn.turnId, origin: "system", parts: [{ type: "text", text }] };
  }

  /** Steering input is taken in where a tool result can carry it. */
  #steers(): readonly Fact[] {
    const last = this.#turn.items.at(-1);
    if (last?.kind !== "answer" || last.calls.length === 0) return [];
    return [...this.#desk.transcript.queued.values()]
      .filter((input) => input.mode === "steer")
      .map(({ inputId, origin, parts }): Fact => ({ type: "message.added", turnId: this.#turn.turnId, origin, parts, inputId }));
  }

  /** One answer, however many requests it takes. Returns how the turn ends when there is none. */
  async #ask(step: Extract<Step, { kind: "ask" }>, before: readonly Fact[]): Promise<Ending | undefined> {
    const { ports, transcript } = this.#desk;
    const { turnId } = this.#turn;
    const models: readonly Omit<ModelInUse, "fallbacks">[] = [this.#model!, ...this.#model!.fallbacks];
    let at = 0;
    let tries = 0;
    let broken = 0;
    let facts = before;
    for (let attempt = 1; ; attempt++) {
      const model = models[at]!;
      tries++;
      const requestId = ports.ids("request");
      const prefixHash = (facts.find((fact) => fact.type === "prefix.fixed") ?? transcript.prefix)!.hash;
      const asked: Fact = { type: "model.asked", turnId, requestId, model: model.model, prefixHash, attempt };
      // Alone it says no more than "ask again", as its absence does: the request goes out first, and the disk syncs while the model thinks.
      const first = facts.length > 0 || ports.hooks.has("pre_api_request");
      const storing = first ? this.#desk.write([...facts, asked]) : afterThis().then(() => this.#desk.write([asked]));
      if (first) await storing;
      storing.catch(() => {}); // Told where it is awaited.
      const { end, durationMs, streamed } = await this.#request(model, requestId, step);
      await storing;
      if (end.kind === "answer") {
        await this.#answered(model, requestId, end, durationMs);
        return undefined;
      }
      const failure: ModelFailure = { ...end.failure, message: ports.redact(end.failure.message) };
      const failed: Fact = { type: "model.failed", turnId, requestId, failure };
      if (this.#signal.aborted) return { reason: "cancelled", detail: stopReason(this.#signal), facts: [failed] };
      const more = failure.code === "context_overflow" ? models.slice(at + 1).some((next) => next.contextTokens > model.contextTokens) : at + 1 < models.length;
      if (streamed) broken++;
      const next = remedy(failure, tries, broken > ports.config.maxStreamRetries ? 0 : ports.config.maxRetries, more, ports.chance);
      await this.#failed(model, requestId, failure, tries);
      if (next.kind === "stop") return { reason: "failed", detail: failureDetail(failure, tries, model.model), facts: [failed] };
      if (next.kind === "wait") {
        const what = streamed ? "The answer broke off and is asked for again" : "Asking again";
        this.#desk.live({ type: "model.waiting", text: `${failure.message} ${what} in ${Math.ceil(next.ms / 1000)} s (attempt ${tries + 1} of ${ports.config.maxRetries + 1}).`, untilAt: ports.clock.now() + next.ms });
        try {
          await ports.clock.sleep(next.ms, this.#signal);
        } catch {
          return { reason: "cancelled", detail: stopReason(this.#signal), facts: [failed] }; // Only the signal ends a sleep.
        }
      } else {
        at = failure.code === "context_overflow" ? models.findIndex((one, index) => index > at && one.contextTokens > model.contextTokens) : at + 1;
        tries = 0;
        broken = 0;
        this.#desk.live({ type: "model.waiting", text: `${failure.message} Going on with ${models[at]!.model}.`, untilAt: ports.clock.now() });
      }
      facts = [failed];
    }
  }

  async #request(model: Omit<ModelInUse, "fallbacks">, requestId: string, step: Extract<Step, { kind: "ask" }>): Promise<{ readonly end: ModelEnd; readonly durationMs: number; readonly streamed: boolean }> {
    const { ports, transcript, sessionId } = this.#desk;
    const { clock, config, hooks } = ports;
    const prefix = transcript.prefix!;
    const limit = model.maxOutputTokens === undefined ? undefined : Math.max(model.maxOutputTokens, Math.min(model.maxOutputTokens * 2 ** step.grow, 32_768));
    const request: ModelRequest = {
      model: model.model,
      system: prefix.system,
      tools: prefix.tools,
      messages: transcript.messages(this.#guest === undefined ? undefined : { turnId: this.#turn.turnId, text: this.#guest }),
      ...(step.last ? { toolChoice: "none" as const } : {}),
      ...(limit === undefined ? {} : { maxOutputTokens: limit }),
      ...(model.reasoningEffort === undefined ? {} : { reasoningEffort: model.reasoningEffort }),
      sessionId,
      connectMs: config.connectMs,
    };
    if (hooks.has("pre_api_request")) {
      const chars = JSON.stringify([request.system, request.tools, request.messages]).length;
      const payload = { ...this.#requestInfo(model, requestId), message_count: request.messages.length, tool_count: request.tools.length, approx_input_tokens: Math.ceil(chars / 3.8) };
      await abortable(hooks.observe("pre_api_request", payload), this.#signal);
    }
    let streamed = false;
    const startedAt = clock.elapsed();
    using _ = ports.whileAsking?.(prefix.tools.map(({ name }) => name));
    const end = await watchStream(model.client, request, {
      clock,
      limits: config,
      signal: this.#signal,
      onDelta: (delta) => {
        if (delta.type === "text.delta") streamed = true;
        this.#desk.live(delta);
      },
    });
    return { end, durationMs: clock.elapsed() - startedAt, streamed };
  }

  async #answered(model: Omit<ModelInUse, "fallbacks">, requestId: string, end: Extract<ModelEnd, { kind: "answer" }>, durationMs: number): Promise<void> {
    const { ports, transcript } = this.#desk;
    const { hooks } = ports;
    const parts = storedParts(end.parts, (callId) => transcript.calls.has(callId), () => ports.ids("call"));
    const costUsd = model.cost?.(end.usage);
    await this.#desk.write([{ type: "model.answered", turnId: this.#turn.turnId, requestId, parts, finish: end.finish, usage: end.usage, ...(costUsd === undefined ? {} : { costUsd }) }]);
    if (!hooks.has("post_api_request")) return;
    const payload = {
      ...this.#requestInfo(model, requestId),
      finish_reason: end.finish,
      usage: end.usage,
      api_duration: durationMs,
      assistant_content_chars: textOf(parts).length,
      assistant_tool_call_count: parts.filter((part) => part.type === "tool-call").length,
    };
    await abortable(hooks.observe("post_api_request", payload), this.#signal);
  }

  async #failed(model: Omit<ModelInUse, "fallbacks">, requestId: string, failure: ModelFailure, tries: number): Promise<void> {
    const { hooks, config } = this.#desk.ports;
    if (!hooks.has("api_request_error")) return;
    const payload = { ...this.#requestInfo(model, requestId), failure, retry_count: tries - 1, max_retries: config.maxRetries, retryable: failure.retryable };
    await abortable(hooks.observe("api_request_error", payload), this.#signal);
  }

  /** Whoever looks after edited files may send a finished turn on, a few times. Returns what the model is told. */
  async #verify(step: Extract<Step, { kind: "end" }>): Promise<string | undefined> {
    const { hooks, log } = this.#desk.ports;
    if (step.reason !== "done" || this.#verified >= MAX_VERIFIED || !hooks.has("pre_verify")) return undefined;
    const changed = changedPaths(this.#turn);
    if (changed.length === 0) return undefined;
    const answer = await abortable(hooks.first("pre_verify", { ...this.#info(), attempt: ++this.#verified, final_response: finalText(this.#turn), changed_paths: changed }), this.#signal);
    if (answer.kind === "broken") log.warning(`The pre_verify guard of "${answer.owner}" is broken (${answer.reason}); the turn ends without it.`);
    return answer.kind === "verdict" ? answer.verdict.message : undefined;
  }

  /** The end, as hooks and whoever asked are told of it. */
  async tell(ending: Ending): Promise<TurnEnd> {
    const { ports, transcript, background } = this.#desk;
    const { hooks } = ports;
    const turn = this.#turn;
    let text = ending.reason === "done" || ending.reason === "limit" ? finalText(turn) : "";
    // A stopped turn gives control back at once; whoever wants to hear of its end hears it meanwhile.
    const wait = async (work: Promise<unknown>) => (ending.reason === "cancelled" ? background(work) : void (await work));
    if (text !== "" && hooks.has("transform_llm_output")) text = await hooks.chain("transform_llm_output", { ...this.#info(), value: text }).then((changed) => (changed === text ? text : ports.redact(changed)));
    if (ending.reason === "done" && hooks.has("post_llm_call")) {
      await wait(hooks.observe("post_llm_call", { ...this.#info(), user_message: this.#userMessage(), assistant_response: text, conversation_history: transcript.messages() }));
    }
    if (hooks.has("on_session_end")) {
      await wait(hooks.observe("on_session_end", { ...this.#session(), completed: ending.reason === "done", interrupted: ending.reason === "cancelled", task_id: this.#desk.sessionId, turn_id: turn.turnId, turn_exit_reason: ending.reason }));
    }
    return turnEnd(turn, ending.reason, text, ending.detail);
  }

  #session(): { readonly session_id: string; readonly model: string; readonly platform: string } {
    return { session_id: this.#desk.sessionId, model: this.#model?.model ?? "", platform: this.#desk.surface };
  }

  #info(): TurnInfo {
    return { ...this.#session(), task_id: this.#desk.sessionId, turn_id: this.#turn.turnId };
  }

  #requestInfo(model: Omit<ModelInUse, "fallbacks">, requestId: string): RequestInfo {
    return { ...this.#info(), model: model.model, api_request_id: requestId, provider: model.provider, api_call_count: this.#turn.attempts };
  }

  #userMessage(): string {
    return this.#desk.transcript.userText(this.#turn.turnId);
  }
}

export function turnEnd(turn: OpenTurn, reason: TurnEndReason, text: string, detail: string | undefined): TurnEnd {
  return { turnId: turn.turnId, reason, text, ...(detail === undefined ? {} : { detail }), usage: turn.usage, requests: turn.attempts, toolCalls: turn.toolCalls };
}

function changedPaths(turn: OpenTurn): readonly string[] {
  const paths = turn.items.flatMap((item) => (item.kind === "answer" ? item.calls : [])).flatMap(({ called, outcome }) => {
    const path = called?.effect === "write" && outcome?.kind === "ok" ? called.args?.["path"] : undefined;
    return typeof path === "string" ? [path] : [];
  });
  return [...new Set(paths)];
}

function failureDetail(failure: ModelFailure, tries: number, model: string): string {
  if (failure.code === "context_overflow") return `The conversation is longer than ${model} can read: ${failure.message} Start a new session, or choose a model with a larger window.`;
  return tries > 1 ? `${failure.message} (${model}, asked ${tries} times)` : failure.message;
}

function interruptedRequest(turn: OpenTurn, ending: Ending): Fact {
  return { type: "model.failed", turnId: turn.turnId, requestId: turn.asking!, failure: { code: "cancelled", message: ending.detail ?? "The request was interrupted.", retryable: true } };
}

function stopReason(signal: AbortSignal): string {
  return signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
}

/** When what is going on now, a request being written to its socket, is done. */
function afterThis(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

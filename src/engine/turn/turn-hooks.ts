import type { RequestInfo, RequestTimes, SessionInfo, TurnInfo } from "../../contract/plugins/hook.ts";
import type { ModelEnd, ModelFailure, ModelRequest } from "../../contract/providers/model.ts";
import { textOf, type AnswerPart } from "../../contract/conversation/part.ts";
import { wellFormed, wellFormedCalls } from "../../contract/common/well-formed.ts";
import type { TurnEndReason } from "../../contract/conversation/fact.ts";
import { abortable } from "../async/abortable.ts";
import { INJECTION_LIMITS, injectedContext } from "../transcript/injected-context.ts";
import { finalText } from "./next-step.ts";
import type { ModelInUse } from "../ports.ts";
import type { OpenTurn } from "../transcript/transcript.ts";
import type { TurnResources } from "./turn-resources.ts";

type Model = Omit<ModelInUse, "fallbacks">;

const MAX_VERIFIED = 3;

/** The hooks of a turn, in the original's terms. A hook without subscribers costs nothing. */
export class TurnHooks {
  readonly #service: TurnResources;
  readonly #turn: OpenTurn;
  readonly #signal: AbortSignal;
  /** Called with all values once they are known. */
  model: string | undefined;
  #verified = 0;
  /** The request on its way: when it began, with how many messages. */
  #asked: { readonly request: ModelRequest; readonly at: number } | undefined;

  constructor(resources: TurnResources, turn: OpenTurn, signal: AbortSignal) {
    this.#service = resources;
    this.#turn = turn;
    this.#signal = signal;
  }

  /**
   * Before the first request of the turn. Returns injected context for the user's message in requests, which is not
   * stored.
   */
  async begin(): Promise<string | undefined> {
    const { ports, transcript } = this.#service;
    const { hooks, redact } = ports;
    const first = transcript.turns === 1;
    if (first && hooks.has("on_session_start"))
      await abortable(hooks.observe("on_session_start", this.#session()), this.#signal);
    if (!hooks.has("pre_llm_call")) return undefined;
    await this.#service.flush(); // A turn that goes on after a crash may have run calls already, whose results are only held.
    const payload = {
      ...this.#info(),
      user_message: this.#userMessage(),
      conversation_history: transcript.messages(),
      is_first_turn: first,
    };
    const pieces = await abortable(hooks.collect("pre_llm_call", payload), this.#signal);
    let count = 0;
    const spill =
      ports.spill &&
      ((text: string) =>
        ports.spill!(this.#service.sessionId, `${this.#turn.turnId}-context-${++count}`, redact(text)));
    const injected = await injectedContext(
      pieces.map(({ piece }) => piece),
      ports.config.injected ?? INJECTION_LIMITS,
      spill,
    );
    return injected === undefined ? undefined : wellFormed(redact(injected));
  }

  async asking(model: Model, requestId: string, request: ModelRequest): Promise<void> {
    const { hooks, clock } = this.#service.ports;
    const at = clock.now();
    this.#asked = { request, at };
    if (!hooks.has("pre_api_request")) return;
    const chars = JSON.stringify([request.system, request.tools, request.messages]).length;
    const payload = {
      ...this.requestInfo(model, requestId),
      user_message: this.#userMessage(),
      request,
      message_count: request.messages.length,
      tool_count: request.tools.length,
      approx_input_tokens: Math.ceil(chars / 3.8),
      request_char_count: chars,
      started_at: at / 1000,
    };
    await abortable(hooks.observe("pre_api_request", payload), this.#signal);
  }

  async answered(
    model: Model,
    requestId: string,
    end: Extract<ModelEnd, { kind: "answer" }>,
    parts: readonly AnswerPart[],
    durationMs: number,
  ): Promise<void> {
    const { hooks } = this.#service.ports;
    if (!hooks.has("post_api_request")) return;
    const whole = wellFormedCalls(parts);
    const payload = {
      ...this.requestInfo(model, requestId),
      ...this.#times(durationMs),
      message_count: this.#asked!.request.messages.length,
      finish_reason: end.finish,
      usage: end.usage,
      assistant_message: { role: "assistant" as const, parts: whole },
      assistant_content_chars: textOf(whole).length,
      assistant_tool_call_count: parts.filter((part) => part.type === "tool-call").length,
    };
    await abortable(hooks.observe("post_api_request", payload), this.#signal);
  }

  async failed(
    model: Model,
    requestId: string,
    failure: ModelFailure,
    tries: number,
    durationMs: number,
  ): Promise<void> {
    const { hooks, config } = this.#service.ports;
    if (!hooks.has("api_request_error")) return;
    const payload = {
      ...this.requestInfo(model, requestId),
      ...this.#times(durationMs),
      request: this.#asked!.request,
      failure,
      retry_count: tries - 1,
      max_retries: config.maxRetries,
      retryable: failure.retryable,
    };
    await abortable(hooks.observe("api_request_error", payload), this.#signal);
  }

  /** A guard of edited files may make a finished turn continue, a few times. Returns the text for the model. */
  async verify(): Promise<string | undefined> {
    const { hooks, log } = this.#service.ports;
    if (this.#verified >= MAX_VERIFIED || !hooks.has("pre_verify")) return undefined;
    const changed = changedPaths(this.#turn);
    if (changed.length === 0) return undefined;
    await this.#service.flush();
    const answer = await abortable(
      hooks.first("pre_verify", {
        ...this.#info(),
        attempt: ++this.#verified,
        final_response: finalText(this.#turn),
        changed_paths: changed,
      }),
      this.#signal,
    );
    if (answer.kind === "broken")
      log.warning(`The pre_verify guard of "${answer.owner}" is broken (${answer.reason}); the turn ends without it.`);
    return answer.kind === "verdict" ? answer.verdict.message : undefined;
  }

  /** The turn is over. Returns its final text as plugins leave it. */
  async ended(reason: TurnEndReason): Promise<string> {
    const { ports, transcript, background, sessionId } = this.#service;
    const { hooks } = ports;
    const turn = this.#turn;
    let text = reason === "done" || reason === "limit" ? finalText(turn) : "";
    // A stopped turn returns control at once; observers are notified of its end meanwhile.
    const wait = async (work: Promise<unknown>) => (reason === "cancelled" ? background(work) : void (await work));
    if (text !== "" && hooks.has("transform_llm_output")) {
      const changed = await hooks.chain("transform_llm_output", { ...this.#info(), value: text });
      text = changed === text ? text : ports.redact(changed);
    }
    if (reason === "done" && hooks.has("post_llm_call")) {
      await wait(
        hooks.observe("post_llm_call", {
          ...this.#info(),
          user_message: this.#userMessage(),
          assistant_response: text,
          conversation_history: transcript.messages(),
        }),
      );
    }
    if (hooks.has("on_session_end")) {
      await wait(
        hooks.observe("on_session_end", {
          ...this.#session(),
          completed: reason === "done",
          interrupted: reason === "cancelled",
          task_id: sessionId,
          turn_id: turn.turnId,
          turn_exit_reason: reason,
        }),
      );
    }
    return text;
  }

  #times(durationMs: number): RequestTimes {
    const started_at = this.#asked!.at / 1000;
    return { api_duration: durationMs / 1000, started_at, ended_at: started_at + durationMs / 1000 };
  }

  #session(): SessionInfo {
    const { sessionId, surface, transcript } = this.#service;
    return {
      session_id: sessionId,
      model: this.model ?? "",
      platform: surface,
      parent_session_id: transcript.subagent?.parentId,
    };
  }

  #info(): TurnInfo {
    return { ...this.#session(), task_id: this.#service.sessionId, turn_id: this.#turn.turnId };
  }

  requestInfo(model: Model, requestId: string): RequestInfo {
    return {
      ...this.#info(),
      model: model.model,
      api_request_id: requestId,
      provider: model.provider,
      api_call_count: this.#turn.attempts,
    };
  }

  #userMessage(): string {
    return this.#service.transcript.userText(this.#turn.turnId);
  }
}

function changedPaths(turn: OpenTurn): readonly string[] {
  const paths = turn.items
    .flatMap((item) => (item.kind === "answer" ? item.calls : []))
    .flatMap(({ called, outcome }) => {
      const path = called?.effect === "write" && outcome?.kind === "ok" ? called.args?.["path"] : undefined;
      return typeof path === "string" ? [path] : [];
    });
  return [...new Set(paths)];
}

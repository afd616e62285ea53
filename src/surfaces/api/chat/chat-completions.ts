import { createHash, randomUUID } from "node:crypto";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { ChosenConversation } from "../conversations/api-conversations.ts";
import type { ApiAnswer, ApiAsked, ApiRoute } from "../http/api-route.ts";
import { ApiTurn } from "../conversations/api-turn.ts";
import { readChatRequest, type ChatRequest } from "./chat-request.ts";
import { Completion } from "./completion.ts";
import type { EventStream } from "../http/event-stream.ts";
import { progressListener } from "./progress-events.ts";
import { SharedAnswers } from "./shared-answers.ts";
import { ShownText } from "./streamed-text.ts";
import { endOfInput, assistantTextOf, type ApiTurnEnd } from "../conversations/turn-facts.ts";
import type { TurnPorts } from "../conversations/turn-ports.ts";

interface Answered {
  readonly end: ApiTurnEnd;
  readonly sessionId: string;
}

/** How long an answered request is found by its key. */
const KNOWN_MS = 300_000;
const GONE = "The client disconnected.";

/** `POST /v1/chat/completions`: runs a turn of the agent and returns it as a model's answer. */
export function chatCompletions(ports: TurnPorts): ApiRoute {
  const completions = new ChatCompletions(ports);
  return { at: "POST /v1/chat/completions", answer: (asked) => completions.answer(asked) };
}

class ChatCompletions {
  readonly #ports: TurnPorts;
  readonly #shared = new SharedAnswers<Answered>();

  constructor(ports: TurnPorts) {
    this.#ports = ports;
  }

  async answer(asked: ApiAsked): Promise<ApiAnswer> {
    const request = readChatRequest(asked.body, asked.headers);
    const completion = new Completion(request.model ?? this.#ports.model);
    if (request.stream) return this.#streamed(request, completion, asked.gone);
    const { end, sessionId } =
      request.idempotencyKey === undefined
        ? await this.#plain(request, asked.gone)
        : await this.#once(request.idempotencyKey, request, asked);
    return { kind: "json", headers: { "x-hermes-session-id": sessionId }, value: completion.whole(end) };
  }

  async #plain(request: ChatRequest, gone: AbortSignal, inputId = `call_${randomUUID()}`): Promise<Answered> {
    using _admitted = this.#ports.admission.enter();
    using chosen = await this.#choose(request);
    const turn = await this.#begin(chosen, inputId, gone, () => {});
    // A repeated request finds the turn by its idempotency key, even after a crash.
    if (request.idempotencyKey !== undefined)
      await turn.stored.then(() => this.#ports.ledger.accept(inputId, turn.sessionId));
    const end = await turn.ended;
    const streamed = assistantTextOf(await this.#ports.conversations.facts(turn.sessionId), end.turnId);
    await this.#note(chosen, end, streamed);
    if (request.idempotencyKey !== undefined) await this.#ports.ledger.finish(inputId);
    return { end, sessionId: turn.sessionId };
  }

  async #streamed(request: ChatRequest, completion: Completion, gone: AbortSignal): Promise<ApiAnswer> {
    using open = new DisposableStack();
    open.use(this.#ports.admission.enter());
    const chosen = open.use(await this.#choose(request));
    const session = await chosen.conversation.open(chosen.system);
    const saved = open.move();
    const write = async (stream: EventStream): Promise<void> => {
      using _saved = saved;
      stream.data(completion.piece({ role: "assistant" }));
      const shown = new ShownText((text) => stream.data(completion.piece({ content: text })));
      const turn = await this.#begin(
        chosen,
        `call_${randomUUID()}`,
        gone,
        progressListener(stream, shown, this.#ports.app, request.progressEvents),
      );
      const end = await turn.ended;
      await this.#note(chosen, end, shown.text);
      stream.data(completion.last(end));
      stream.data("[DONE]");
    };
    return { kind: "events", headers: { "x-hermes-session-id": session.id }, write };
  }

  /**
   * A repeated request with the same key gets the answer of the same turn: while it runs, for a while after, and after
   * a crash.
   */
  async #once(key: string, request: ChatRequest, { body, gone, headers }: ApiAsked): Promise<Answered> {
    const same = JSON.stringify([
      key,
      headers["x-hermes-session-id"] ?? null,
      ...["model", "messages", "tools", "tool_choice", "stream"].map((field) => body[field] ?? null),
    ]);
    const inputId = `once_${createHash("sha256").update(same).digest("hex").slice(0, 32)}`;
    return this.#shared.share(inputId, gone, async (none) => {
      const known = await this.#ports.ledger.accepted(inputId);
      if (known === undefined) return this.#plain(request, none, inputId);
      const end = endOfInput(await this.#ports.conversations.facts(known.sessionId), inputId);
      if (end === undefined)
        return (await this.#resumed(known.sessionId, inputId, none)) ?? this.#plain(request, none, inputId);
      return end.reason !== "cancelled" && Date.now() - end.at < KNOWN_MS
        ? { end, sessionId: known.sessionId }
        : this.#plain(request, none, inputId);
    });
  }

  async #resumed(sessionId: string, inputId: string, gone: AbortSignal): Promise<Answered | undefined> {
    using _admitted = this.#ports.admission.enter();
    using chosen = await this.#ports.conversations.left(sessionId);
    const facts = () => this.#ports.conversations.facts(sessionId);
    const turn = await ApiTurn.resume(await chosen.conversation.open(""), facts, { inputId, receive: () => {} });
    if (turn === undefined) return undefined;
    this.#watch(turn, gone);
    return { end: await turn.ended, sessionId };
  }

  #choose({ sent, sessionId }: ChatRequest): Promise<ChosenConversation> {
    return sessionId === undefined
      ? this.#ports.conversations.resent(sent)
      : this.#ports.conversations.named(sessionId, sent);
  }

  async #begin(
    { conversation, system, parts }: ChosenConversation,
    inputId: string,
    gone: AbortSignal,
    receive: (event: AgentEvent) => void,
  ): Promise<ApiTurn> {
    const turn = ApiTurn.send(await conversation.open(system), parts, { inputId, receive });
    this.#watch(turn, gone);
    return turn;
  }

  #watch(turn: ApiTurn, gone: AbortSignal): void {
    this.#ports.began(turn);
    const stop = (): void => turn.stop(GONE);
    gone.addEventListener("abort", stop, { once: true });
    if (gone.aborted) stop();
  }

  /**
   * Stores the forms in which a client may have the answer: the final text, all streamed text, or nothing if
   * interrupted.
   */
  async #note(
    { resent, conversation: { sessionId } }: ChosenConversation,
    end: ApiTurnEnd,
    streamed: string,
  ): Promise<void> {
    if (resent !== undefined)
      await this.#ports.conversations.note(
        resent,
        end.reason === "done" ? [end.text, streamed] : [end.text, streamed, undefined],
        { sessionId, seq: end.seq },
      );
  }
}

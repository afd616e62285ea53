import { createHash, randomUUID } from "node:crypto";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { ChosenConversation } from "../conversations/api-conversations.ts";
import type { ApiAnswer, ApiAsked, ApiRoute } from "../http/api-route.ts";
import { ApiTurn } from "../conversations/api-turn.ts";
import { CallEvents } from "../runs/call-events.ts";
import { readChatRequest, type ChatRequest } from "./chat-request.ts";
import { Completion } from "./completion.ts";
import type { EventStream } from "../http/event-stream.ts";
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
  const { app, ledger, conversations, admission } = ports;
  const shared = new SharedAnswers<Answered>();

  async function answer(asked: ApiAsked): Promise<ApiAnswer> {
    const request = readChatRequest(asked.body, asked.headers);
    const completion = new Completion(request.model ?? ports.model);
    if (request.stream) return streamed(request, completion, asked.gone);
    const { end, sessionId } =
      request.idempotencyKey === undefined
        ? await plain(request, asked.gone)
        : await once(request.idempotencyKey, request, asked);
    return { kind: "json", headers: { "x-hermes-session-id": sessionId }, value: completion.whole(end) };
  }

  async function plain(request: ChatRequest, gone: AbortSignal, inputId = `call_${randomUUID()}`): Promise<Answered> {
    using _admitted = admission.enter();
    using chosen = await choose(request);
    const turn = await begin(chosen, inputId, gone, () => {});
    // The same request finds the turn by its key, even after a crash.
    if (request.idempotencyKey !== undefined) await turn.stored.then(() => ledger.accept(inputId, turn.sessionId));
    const end = await turn.ended;
    const streamed = assistantTextOf(await conversations.facts(turn.sessionId), end.turnId);
    await note(chosen, end, streamed);
    if (request.idempotencyKey !== undefined) await ledger.finish(inputId);
    return { end, sessionId: turn.sessionId };
  }

  async function streamed(request: ChatRequest, completion: Completion, gone: AbortSignal): Promise<ApiAnswer> {
    using open = new DisposableStack();
    open.use(admission.enter());
    const chosen = open.use(await choose(request));
    const session = await chosen.conversation.open(chosen.system);
    const saved = open.move();
    const write = async (stream: EventStream): Promise<void> => {
      using _saved = saved;
      stream.data(completion.piece({ role: "assistant" }));
      const shown = new ShownText((text) => stream.data(completion.piece({ content: text })));
      const turn = await begin(chosen, `call_${randomUUID()}`, gone, reportProgress(stream, shown));
      const end = await turn.ended;
      await note(chosen, end, shown.text);
      stream.data(completion.last(end));
      stream.data("[DONE]");
    };
    return { kind: "events", headers: { "x-hermes-session-id": session.id }, write };
  }

  /**
   * A repeated request with the same key gets the answer of the same turn: while it runs, for a while after, and after
   * a crash.
   */
  async function once(key: string, request: ChatRequest, { body, gone, headers }: ApiAsked): Promise<Answered> {
    const same = JSON.stringify([
      key,
      headers["x-hermes-session-id"] ?? null,
      ...["model", "messages", "tools", "tool_choice", "stream"].map((field) => body[field] ?? null),
    ]);
    const inputId = `once_${createHash("sha256").update(same).digest("hex").slice(0, 32)}`;
    return shared.share(inputId, gone, async (none) => {
      const known = await ledger.accepted(inputId);
      if (known === undefined) return plain(request, none, inputId);
      const end = endOfInput(await conversations.facts(known.sessionId), inputId);
      if (end === undefined) return (await carriedOn(known.sessionId, inputId, none)) ?? plain(request, none, inputId);
      return end.reason !== "cancelled" && Date.now() - end.at < KNOWN_MS
        ? { end, sessionId: known.sessionId }
        : plain(request, none, inputId);
    });
  }

  async function carriedOn(sessionId: string, inputId: string, gone: AbortSignal): Promise<Answered | undefined> {
    using _admitted = admission.enter();
    using chosen = await conversations.left(sessionId);
    const turn = await ApiTurn.resume(await chosen.conversation.open(""), () => conversations.facts(sessionId), {
      inputId,
      receive: () => {},
    });
    if (turn === undefined) return undefined;
    watch(turn, gone);
    return { end: await turn.ended, sessionId };
  }

  function choose({ sent, sessionId }: ChatRequest): Promise<ChosenConversation> {
    return sessionId === undefined ? conversations.resent(sent) : conversations.named(sessionId, sent);
  }

  async function begin(
    { conversation, system, parts }: ChosenConversation,
    inputId: string,
    gone: AbortSignal,
    receive: (event: AgentEvent) => void,
  ): Promise<ApiTurn> {
    const turn = ApiTurn.send(await conversation.open(system), parts, { inputId, receive });
    watch(turn, gone);
    return turn;
  }

  function watch(turn: ApiTurn, gone: AbortSignal): void {
    ports.began(turn);
    const stop = (): void => turn.stop(GONE);
    gone.addEventListener("abort", stop, { once: true });
    if (gone.aborted) stop();
  }

  /**
   * Stores the forms in which a client may have the answer: the final text, all streamed text, or nothing if
   * interrupted.
   */
  async function note(
    { resent, conversation: { sessionId } }: ChosenConversation,
    end: ApiTurnEnd,
    streamed: string,
  ): Promise<void> {
    if (resent !== undefined)
      await conversations.note(resent, end.reason === "done" ? [end.text, streamed] : [end.text, streamed, undefined], {
        sessionId,
        seq: end.seq,
      });
  }

  function reportProgress(stream: EventStream, shown: ShownText): (event: AgentEvent) => void {
    const calls = new CallEvents(
      (name) => app.tools.get(name),
      (text) => app.mask(text),
    );
    return (event) => {
      if (event.kind === "live") return void (event.live.type === "text.delta" && shown.delta(event.live.text));
      const { fact } = event.recorded;
      if (fact.type === "model.asked") shown.asked();
      if (fact.type === "model.answered") shown.answered(textOf(fact.parts.filter(({ type }) => type === "text")));
      const call = calls.onFact(fact);
      if (call === undefined) return;
      const { tool, callId, emoji, label } = call.call;
      stream.data(
        call.kind === "started"
          ? { tool, emoji, label, toolCallId: callId, status: "running" }
          : { tool, toolCallId: callId, status: "completed" },
        { event: "hermes.tool.progress" },
      );
    };
  }

  return { at: "POST /v1/chat/completions", answer };
}

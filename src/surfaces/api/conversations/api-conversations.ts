import type { App } from "../../../contract/services/app.ts";
import type { ApiLedger } from "../../../contract/services/api-ledger.ts";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import { textOf, type Part } from "../../../contract/conversation/part.ts";
import { OpenChats } from "../../shared/conversation/open-chats.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { ApiConversation } from "./api-conversation.ts";
import { conversationDigest, derivedSessionId } from "../chat/conversation-digest.ts";
import { importedParts, instructedParts } from "../chat/input-parts.ts";
import type { PriorMessage, SentConversation } from "../chat/read-conversation.ts";
import { systemPromptOf, hasAnswerAfter } from "./turn-facts.ts";

/** The session chosen for a request, and its input. Dispose it when the turn has ended. */
export interface ChosenConversation extends Disposable {
  readonly conversation: ApiConversation;
  readonly system: string;
  readonly parts: readonly Part[];
  /** Set if the client resends the conversation instead of naming a session. */
  readonly resent: SentConversation | undefined;
}

const SWEEP_MS = 60_000;
/** Maximum number of idle conversations that stay open. */
const MAX_OPEN = 64;

/** The sessions of API clients, found by id or by their messages. */
export class ApiConversations {
  readonly #app: App;
  readonly #ledger: ApiLedger;
  readonly #cwd: string;
  readonly #open = new OpenChats<ApiConversation>(() => Date.now(), MAX_OPEN);
  readonly #timer = setInterval(() => void this.#open.sweep(), SWEEP_MS).unref();
  /** Choices run one at a time, so that two requests cannot take the same session. */
  #choosing: Promise<unknown> = Promise.resolve();

  constructor(app: App, ledger: ApiLedger, cwd: string) {
    this.#app = app;
    this.#ledger = ledger;
    this.#cwd = cwd;
  }

  /**
   * The session with this id, from any surface of the owner; its facts are the history.
   * @throws {ApiFailure} if it is another user's.
   */
  named(sessionId: string, sent: SentConversation): Promise<ChosenConversation> {
    return this.#choose(async () => {
      const facts = await this.facts(sessionId);
      const started = facts[0]?.fact;
      // A conversation that another user reads must not see the owner's memory.
      if (started?.type === "session.started" && started.whose !== undefined)
        throw new ApiFailure(`Session ${sessionId} belongs to a chat user; continue it in that chat.`, {
          status: 409,
          code: "session_unavailable",
        });
      return this.#entered(sessionId, sent, facts, undefined);
    });
  }

  /** The session with these messages, or a new one that starts with them. */
  resent(sent: SentConversation): Promise<ChosenConversation> {
    return this.#choose(async () => {
      const found = await this.#found(sent);
      const sessionId =
        found ??
        (await this.#free(
          derivedSessionId(sent.system, sent.history.find(({ who }) => who === "user")?.text ?? textOf(sent.input)),
        ));
      return this.#entered(sessionId, sent, await this.facts(sessionId), sent);
    });
  }

  /** A stored session, resumed where it stopped. */
  async left(sessionId: string): Promise<ChosenConversation> {
    return this.#choose(async () => this.#entered(sessionId, { system: "", history: [], input: [] }, [], undefined));
  }

  /**
   * Stores how a client that resends this conversation and its answer finds the session.
   * @param answers The forms of the answer that a client may have.
   */
  async note(
    { system, history, input }: SentConversation,
    answers: readonly (string | undefined)[],
    at: { readonly sessionId: string; readonly seq: number },
  ): Promise<void> {
    const asked: readonly PriorMessage[] = [...history, { who: "user", text: textOf(input) }];
    const digests = answers.map((text) =>
      conversationDigest(
        system,
        text === undefined || text.trim() === "" ? asked : [...asked, { who: "assistant", text }],
      ),
    );
    await this.#ledger.notePoints([...new Set(digests)], at);
  }

  /** The facts of a session; empty if it does not exist yet. */
  async facts(sessionId: string): Promise<readonly Recorded[]> {
    return Array.fromAsync(this.#app.sessions.factsOf(sessionId));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled(this.#open.all.map((conversation) => conversation.close()));
  }

  #choose<Value>(choice: () => Promise<Value>): Promise<Value> {
    const chosen = this.#choosing.then(async () => {
      // Changed settings files apply from the next request.
      for (const { level, text } of await this.#app.config.refresh()) this.#app.log[level](text);
      return choice();
    });
    this.#choosing = chosen.catch(() => undefined);
    return chosen;
  }

  /** The session with the same history. If that session has continued since, a branch of it is used instead. */
  async #found({ system, history }: SentConversation): Promise<string | undefined> {
    if (history.length === 0) return undefined;
    const point = await this.#ledger.point(conversationDigest(system, history));
    const facts = point === undefined ? [] : await this.facts(point.sessionId);
    if (point === undefined || facts.length === 0) return undefined;
    if (!this.#works(point.sessionId) && !hasAnswerAfter(facts, point.seq)) return point.sessionId;
    return (await this.#app.sessions.branch(point.sessionId, point.seq)).id;
  }

  /** A session id without a different answer. An interrupted turn starts again when the client resends it. */
  async #free(derived: string): Promise<string> {
    for (let sessionId = derived; ; sessionId = `${derived}-${crypto.randomUUID().slice(0, 8)}`) {
      if (!this.#works(sessionId) && !hasAnswerAfter(await this.facts(sessionId), 0)) return sessionId;
    }
  }

  #works(sessionId: string): boolean {
    return this.#open.all.some((conversation) => conversation.sessionId === sessionId && conversation.busy);
  }

  #entered(
    sessionId: string,
    { system, history, input }: SentConversation,
    facts: readonly Recorded[],
    resent: SentConversation | undefined,
  ): ChosenConversation {
    const conversation = this.#open.of(sessionId, () => new ApiConversation(this.#app, this.#cwd, sessionId));
    const working = conversation.work();
    const prompt = systemPromptOf(facts);
    const message = prompt === undefined || system === "" || prompt.includes(this.#app.mask(system).trim());
    const output = facts.length === 0 ? importedParts(history, input) : input;
    return {
      conversation,
      system,
      parts: message ? output : instructedParts(system, output),
      resent,
      [Symbol.dispose]: () => working[Symbol.dispose](),
    };
  }
}

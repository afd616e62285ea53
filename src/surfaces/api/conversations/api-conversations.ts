import type { App } from "../../../contract/services/app.ts";
import type { ApiLedger } from "../../../contract/services/api-ledger.ts";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { textOf, type Part } from "../../../contract/conversation/part.ts";
import { OpenChats } from "../../shared/conversation/open-chats.ts";
import { ApiFailure } from "../http/api-failure.ts";
import { ApiConversation } from "./api-conversation.ts";
import { conversationDigest, derivedSessionId } from "../chat/conversation-digest.ts";
import { importedParts, instructedParts } from "../chat/input-parts.ts";
import type { PriorMessage, SentConversation } from "../chat/read-conversation.ts";
import { systemPromptOf, wentOn } from "./turn-facts.ts";

/** The session for what a program sent, with what is to be said in it. Disposed of when its turn is over. */
export interface ChosenConversation extends Disposable {
  readonly conversation: ApiConversation;
  readonly system: string;
  readonly parts: readonly Part[];
  /** It will be known again by what was said in it. */
  readonly resent: SentConversation | undefined;
}

const SWEEP_MS = 60_000;
/** Conversations that are kept open although nobody works in them now. */
const MAX_OPEN = 64;

/** The sessions of programs: found by their id, or by what was said in them. */
export class ApiConversations {
  readonly #app: App;
  readonly #ledger: ApiLedger;
  readonly #cwd: string;
  readonly #open = new OpenChats<ApiConversation>(() => Date.now(), MAX_OPEN);
  readonly #timer = setInterval(() => void this.#open.sweep(), SWEEP_MS).unref();
  /** One choice after the other: nobody else takes the same session meanwhile. */
  #choosing: Promise<unknown> = Promise.resolve();

  constructor(app: App, ledger: ApiLedger, cwd: string) {
    this.#app = app;
    this.#ledger = ledger;
    this.#cwd = cwd;
  }

  /** The session of this id, on whatever surface the owner began it; its own facts are what was said before. @throws {ApiFailure} for somebody else's. */
  named(sessionId: string, sent: SentConversation): Promise<ChosenConversation> {
    return this.#choose(async () => {
      const facts = await this.facts(sessionId);
      const started = facts[0]?.fact;
      // What the agent knows of its owner is not for a conversation that somebody else reads.
      if (started?.type === "session.started" && started.whose !== undefined)
        throw new ApiFailure(`Session ${sessionId} is of somebody in a chat, and goes on there.`, {
          status: 409,
          code: "session_unavailable",
        });
      return this.#entered(sessionId, sent, facts, undefined);
    });
  }

  /** The session in which this was said, or one that begins with it. */
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

  /** A session that goes on where it was left. */
  async left(sessionId: string): Promise<ChosenConversation> {
    return this.#choose(async () => this.#entered(sessionId, { system: "", history: [], input: [] }, [], undefined));
  }

  /** The next one who sends this conversation, and what was answered, finds the session. @param answers The forms in which a program may have it. */
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

  /** None of a session that is not there yet. */
  async facts(sessionId: string): Promise<readonly Recorded[]> {
    const { sessions } = this.#app;
    const found = await sessions.find(sessionId).catch((cause: unknown) => {
      if (cause instanceof UserError) return undefined;
      throw cause;
    });
    // What only begins like it, or is called like it, is another one.
    return found?.id === sessionId ? Array.fromAsync(sessions.facts(sessionId)) : [];
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled(this.#open.all.map((conversation) => conversation.close()));
  }

  #choose<Value>(choice: () => Promise<Value>): Promise<Value> {
    const chosen = this.#choosing.then(async () => {
      // What was changed in the files counts from the next request on.
      for (const { level, text } of await this.#app.config.refresh()) this.#app.log[level](text);
      return choice();
    });
    this.#choosing = chosen.catch(() => undefined);
    return chosen;
  }

  /** Where the same was said before. A session that has gone on since stays as it is: a branch of it goes on from there. */
  async #found({ system, history }: SentConversation): Promise<string | undefined> {
    if (history.length === 0) return undefined;
    const point = await this.#ledger.point(conversationDigest(system, history));
    const facts = point === undefined ? [] : await this.facts(point.sessionId);
    if (point === undefined || facts.length === 0) return undefined;
    if (!this.#works(point.sessionId) && !wentOn(facts, point.seq)) return point.sessionId;
    return (await this.#app.sessions.branch(point.sessionId, point.seq)).id;
  }

  /** Not one in which something else was answered. What was broken off is begun again by whoever sends it again. */
  async #free(derived: string): Promise<string> {
    for (let sessionId = derived; ; sessionId = `${derived}-${crypto.randomUUID().slice(0, 8)}`) {
      if (!this.#works(sessionId) && !wentOn(await this.facts(sessionId), 0)) return sessionId;
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

import type { App } from "../../../contract/services/app.ts";
import type { AgentEvent, Recorded } from "../../../contract/conversation/fact.ts";
import type { ChatLanes } from "../../../contract/services/gateway-service.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { Prompter } from "../../../contract/conversation/question.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";

/** What stays the same for all sessions of one chat. */
export interface ConversationPlace {
  /** The session key. */
  readonly key: string;
  readonly plan: PlatformPlan;
  readonly cwd: string;
  readonly prompter: Prompter;
  /** Several people write in it. */
  readonly shared: boolean;
  /** Whose it is, where that is not the owner's. */
  readonly whose: string | undefined;
  /** Others read what is said here. */
  readonly inGroup: boolean;
}

export interface Opening {
  /** Another session than the one the chat is in. */
  readonly fresh?: true;
  readonly sessionId?: string;
  readonly model?: { readonly name?: string; readonly provider?: string };
}

/** The session that a chat is in: opened when it is first needed, however many ask, and closed when nobody goes on with it. */
export class ChatConversation {
  readonly #app: App;
  readonly #lanes: ChatLanes;
  readonly #place: ConversationPlace;
  readonly #receive: (session: Session, event: AgentEvent) => void;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #listening: Disposable | undefined;
  /** Approvals of this session are not asked for, until it is left. */
  #yolo = false;
  /** It is open under the other rule. */
  #outdated = false;

  /** @param hear Told every event of the session that is open. */
  constructor(
    app: App,
    lanes: ChatLanes,
    place: ConversationPlace,
    receive: (session: Session, event: AgentEvent) => void,
  ) {
    this.#app = app;
    this.#lanes = lanes;
    this.#place = place;
    this.#receive = receive;
  }

  /** The session, while one is open. */
  get session(): Session | undefined {
    return this.#session;
  }

  open(how: Opening = {}): Promise<Session> {
    if (how.fresh !== true && this.#opening !== undefined && !this.#mayRenew) return this.#opening;
    const opening = this.#mayRenew ? this.#renewed() : this.#openNow(how);
    this.#opening = opening;
    opening.catch(() => this.#opening === opening && (this.#opening = undefined));
    return opening;
  }

  get yolo(): boolean {
    return this.#yolo;
  }

  /** Approvals are part of how a session is opened: it is opened again for the next turn. */
  setYolo(on: boolean): void {
    this.#yolo = on;
    this.#outdated = this.#session !== undefined;
  }

  get #mayRenew(): boolean {
    return this.#outdated && this.#session?.busy === false;
  }

  async #renewed(): Promise<Session> {
    const before = this.#session!;
    this.#outdated = false;
    const { id } = before;
    await before.close("session_boundary");
    this.#listening?.[Symbol.dispose]();
    return this.#openNow((await this.isStored(id)) ? { fresh: true, sessionId: id } : { fresh: true });
  }

  async leave(reason: "session_boundary" | "shutdown"): Promise<void> {
    const session = await this.#opening?.catch(() => undefined);
    this.#session = this.#opening = undefined;
    this.#yolo = this.#outdated = false;
    await session?.close(reason);
    this.#listening?.[Symbol.dispose]();
  }

  /** The next start finds the chat in this session. */
  async note(session: Session): Promise<void> {
    await this.#lanes.noteChat({ sessionKey: this.#place.key, sessionId: session.id, at: Date.now() });
  }

  /** Who it is that hooks are told of. */
  speaks(session: Session, message: PlatformMessage): void {
    this.#app.hooks.speaks(session.id, {
      user_id: message.user_id ?? "",
      chat_id: message.chat_id,
      thread_id: message.thread_id ?? "",
      chat_type: message.chat_type ?? "dm",
      session_key: this.#place.key,
    });
  }

  async facts(sessionId: string): Promise<readonly Recorded[]> {
    return Array.fromAsync(this.#app.sessions.facts(sessionId));
  }

  /** A conversation may have been deleted since, or never have got its first fact. */
  async isStored(sessionId: string): Promise<boolean> {
    for await (const _ of this.#app.sessions.facts(sessionId)) return true;
    return false;
  }

  /** A conversation from when the chat was the owner's, or somebody else's, is not gone on with. */
  async #goesOn(sessionId: string): Promise<boolean> {
    const { whose } = this.#place;
    for await (const { fact } of this.#app.sessions.facts(sessionId))
      return whose === undefined || (fact.type === "session.started" && fact.whose === whose);
    return false;
  }

  async #openNow(how: Opening): Promise<Session> {
    const { key, plan, cwd, prompter, shared, whose, inGroup } = this.#place;
    const known = how.fresh === true ? undefined : (await this.#lanes.chat(key))?.sessionId;
    const wanted = how.sessionId ?? (known !== undefined && (await this.#goesOn(known)) ? known : undefined);
    const place = [
      plan.hint,
      shared
        ? "Several people write in this conversation. Each message begins with its writer's name in brackets."
        : "",
    ]
      .filter((line) => line !== "")
      .join("\n");
    const session = await this.#app.openSession({
      surface: plan.name,
      attended: true,
      cwd,
      prompter,
      place,
      yolo: this.#yolo,
      ...(inGroup ? AMONG_OTHERS : whose === undefined ? {} : NOT_THE_OWNER),
      whose,
      sessionId: wanted,
      model: how.model,
    });
    this.#session = session;
    this.#listening = session.subscribe((event) => this.#receive(session, event));
    return session;
  }
}

/** What the agent remembers is the owner's; earlier conversations are seen as far as they are of the same person. */
const NOT_THE_OWNER = { ignoreMemory: true, toolsets: { disabled: ["memory"] } } as const;
/** What the agent remembers of its person, and what was said elsewhere, is not for everybody in a room. */
const AMONG_OTHERS = { ignoreMemory: true, toolsets: { disabled: ["memory", "session_search"] } } as const;

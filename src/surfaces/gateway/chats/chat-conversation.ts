import type { App, OpenSession } from "../../../contract/services/app.ts";
import type { AgentEvent, Recorded } from "../../../contract/conversation/fact.ts";
import type { ChatLanes } from "../../../contract/services/gateway-service.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { Prompter } from "../../../contract/conversation/question.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";

/** Data that all sessions of one chat share. */
export interface ConversationPlace {
  /** The session key. */
  readonly key: string;
  readonly plan: PlatformPlan;
  readonly cwd: string;
  readonly prompter: Prompter;
  /** Several users write in it. */
  readonly shared: boolean;
  /** The user it belongs to, if that is not the owner. */
  readonly whose: string | undefined;
  /** A user reads along and can answer questions. */
  readonly attended: boolean;
  /** Other users read the answers. */
  readonly inGroup: boolean;
}

export interface Opening {
  /** Start a new session instead of the current one. */
  readonly fresh?: true;
  readonly sessionId?: string;
  readonly model?: { readonly name?: string; readonly provider?: string };
}

/** The session of a chat. It opens on first use (concurrent callers share it) and closes when idle. */
export class ChatConversation {
  readonly #app: App;
  readonly #lanes: ChatLanes;
  readonly #place: ConversationPlace;
  readonly #receive: (session: Session, event: AgentEvent) => void;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #listening: Disposable | undefined;
  /** Skip approvals in this session, until the chat leaves it. */
  #yolo = false;
  /** The user chose it in this session. */
  #model: OpenSession["model"];
  /** The session was opened with the other approval mode. */
  #outdated = false;

  /** @param receive Receives every event of the open session. */
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

  /** The open session. */
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

  /** The approval mode is fixed when a session opens, so the next turn reopens it. */
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
    const model = this.#model;
    return this.#openNow((await this.isStored(id)) ? { fresh: true, sessionId: id, model } : { fresh: true, model });
  }

  async leave(reason: "session_boundary" | "shutdown"): Promise<void> {
    const session = await this.#opening?.catch(() => undefined);
    this.#session = this.#opening = undefined;
    this.#yolo = this.#outdated = false;
    await session?.close(reason);
    this.#listening?.[Symbol.dispose]();
  }

  /** Stores this session as the current one of the chat. */
  async note(session: Session): Promise<void> {
    await this.#lanes.noteChat({ sessionKey: this.#place.key, sessionId: session.id, at: Date.now() });
  }

  /** Sets the sender that hooks receive. */
  speaks(session: Session, message: PlatformMessage): void {
    this.#app.hooks.speaks(session.id, {
      user_id: message.user_id ?? "",
      chat_id: message.chat_id,
      thread_id: message.thread_id ?? "",
      chat_type: message.chat_type ?? "dm",
      session_key: this.#place.key,
    });
  }

  /** Empty if the conversation was deleted, or has no facts yet. */
  async facts(sessionId: string): Promise<readonly Recorded[]> {
    return Array.fromAsync(this.#app.sessions.factsOf(sessionId));
  }

  async isStored(sessionId: string): Promise<boolean> {
    for await (const _ of this.#app.sessions.factsOf(sessionId)) return true;
    return false;
  }

  /** Opens this stored session, also when another one of the chat is open. */
  async openStored(sessionId: string): Promise<Session> {
    const open = await this.#opening?.catch(() => undefined);
    if (open !== undefined && open.id !== sessionId) await this.leave("session_boundary");
    return this.open({ sessionId });
  }

  /** Leaves the open session if it is not the current one of the chat. */
  async leaveOld(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const current = await this.#lanes.chat(this.#place.key);
    if (current === undefined) await this.note(session);
    else if (current.sessionId !== session.id) await this.leave("session_boundary");
  }

  /** A chat that changed its user does not resume the conversation of the previous one. */
  async #goesOn(sessionId: string): Promise<boolean> {
    const { whose } = this.#place;
    for await (const { fact } of this.#app.sessions.factsOf(sessionId))
      return whose === undefined || (fact.type === "session.started" && fact.whose === whose);
    return false;
  }

  /** Options of a session of this chat. */
  options(): OpenSession {
    const { plan, cwd, prompter, shared, whose, inGroup, attended } = this.#place;
    const place = [
      plan.hint,
      shared ? "Several users write in this conversation. Each message begins with its author's name in brackets." : "",
    ]
      .filter((line) => line !== "")
      .join("\n");
    return {
      surface: plan.name,
      attended,
      cwd,
      prompter: attended ? prompter : undefined,
      place,
      yolo: this.#yolo,
      ...(inGroup ? AMONG_OTHERS : whose === undefined ? {} : NOT_THE_OWNER),
      whose,
      model: this.#model,
    };
  }

  async #openNow(how: Opening): Promise<Session> {
    const { key } = this.#place;
    const known = how.fresh === true ? undefined : (await this.#lanes.chat(key))?.sessionId;
    const wanted = how.sessionId ?? (known !== undefined && (await this.#goesOn(known)) ? known : undefined);
    this.#model = how.model;
    const session = await this.#app.openSession({ ...this.options(), sessionId: wanted });
    this.#session = session;
    this.#listening = session.subscribe((event) => this.#receive(session, event));
    return session;
  }
}

/** Memory and skills belong to the owner; a user may search only their own earlier conversations. */
const NOT_THE_OWNER = { ignoreMemory: true, toolsets: { disabled: ["memory", "skill_manage"] } } as const;
/** A group must not see the owner's memory or other conversations. */
const AMONG_OTHERS = {
  ignoreMemory: true,
  toolsets: { disabled: ["memory", "skill_manage", "session_search"] },
} as const;

import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { ChatTarget } from "./chat-state.ts";
import { PageChat, type PageChatPorts } from "./page-chat.ts";

const SWEEP_MS = 15_000;
/** An idle chat that no page shows closes after this time. */
const REST_MS = 60_000;
/** A closed chat's notes are kept so long. */
const FORGET_MS = 3_600_000;

interface ChatsPorts extends Pick<PageChatPorts, "send" | "live"> {
  readonly app: App;
  /** Whether a page shows this session now. */
  shown(sessionId: string): boolean;
}

/** The chats of the pages, by session. */
export class PageChats implements AsyncDisposable {
  readonly #ports: ChatsPorts;
  readonly #stop = new AbortController();
  readonly #chats = new Map<string, PageChat>();
  /** Chats that are being opened: two pages share one. */
  readonly #opening = new Map<string, Promise<PageChat>>();
  readonly #timer = setInterval(() => this.#sweep(), SWEEP_MS).unref();

  constructor(ports: ChatsPorts) {
    this.#ports = ports;
  }

  /** Opens a session as a chat; without an id, a new one. @throws {UserError} if another process has it. */
  async open(target: ChatTarget): Promise<PageChat> {
    const { sessionId } = target;
    if (this.#stop.signal.aborted) throw new UserError("The dashboard is closing.");
    if (sessionId === undefined) return this.#add(await this.#new(target));
    const known = this.#chats.get(sessionId);
    if (known !== undefined) {
      await known.session();
      return known;
    }
    const opening =
      this.#opening.get(sessionId) ??
      this.#stored(target)
        .then((chat) => this.#add(chat))
        .finally(() => this.#opening.delete(sessionId));
    this.#opening.set(sessionId, opening);
    return opening;
  }

  /** The chat of this session, if one was opened. */
  get(sessionId: string): PageChat | undefined {
    return this.#chats.get(sessionId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Error("The dashboard is closing."));
    await Promise.allSettled(this.#opening.values());
    await Promise.allSettled([...this.#chats.values()].map((chat) => chat.close()));
  }

  async #stored(target: ChatTarget): Promise<PageChat> {
    const { id, whose } = await this.#ports.app.sessions.find(target.sessionId ?? "");
    // A conversation that another user reads must not see the owner's memory.
    if (whose !== undefined)
      throw new UserError(`Session ${id} belongs to a chat user (${whose}).`, {
        hint: "Continue it in that chat, or branch it to continue a copy here.",
      });
    return this.#new({ ...target, sessionId: id });
  }

  #new(target: ChatTarget): Promise<PageChat> {
    const { app, send, live } = this.#ports;
    return PageChat.open({ app, signal: this.#stop.signal, send, live, chat: (next) => this.open(next) }, target);
  }

  #add(chat: PageChat): PageChat {
    this.#chats.set(chat.id, chat);
    return chat;
  }

  #sweep(): void {
    const now = Date.now();
    for (const chat of this.#chats.values()) {
      if (chat.busy || this.#ports.shown(chat.id) || now - chat.usedAt < REST_MS) continue;
      if (chat.isOpen)
        void chat.rest().catch((cause: unknown) => this.#ports.app.log.error("Cannot close an idle chat.", { cause }));
      else if (now - chat.usedAt > FORGET_MS) this.#chats.delete(chat.id);
    }
  }
}

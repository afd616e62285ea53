import type { Session } from "../../contract/conversation/session.ts";

/** What a subagent works on. */
export interface ChildSession {
  readonly parentId: string;
  readonly goal: string;
  /** Epoch ms. */
  readonly startedAt: number;
}

/** The open sessions of this process. */
export class OpenSessions {
  readonly #sessions = new Map<string, Session>();
  /** Maps a session to its chat user, for sessions that are not the owner's. */
  readonly #guests = new Map<string, string>();
  /** The open sessions of subagents. */
  readonly #children = new Map<string, ChildSession>();
  readonly #listeners: ((sessionId: string) => void)[] = [];
  #used = false;

  get(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  list(): readonly Session[] {
    return [...this.#sessions.values()];
  }

  /** Whether this process ever opened a session. */
  get used(): boolean {
    return this.#used;
  }

  /** @param child What is known of a subagent's session. */
  add(session: Session, child?: ChildSession): void {
    this.#used = true;
    if (child !== undefined) this.#children.set(session.id, child);
    this.#sessions.set(session.id, session);
  }

  /** Of an open session that is a subagent's. */
  childOf(sessionId: string): ChildSession | undefined {
    return this.#children.get(sessionId);
  }

  /** Records whose chat a session is opened in, before it is open. */
  setInjected(sessionId: string, whose: string): void {
    this.#guests.set(sessionId, whose);
  }

  /** The chat user of an open session; `undefined` for the owner's. */
  injectedOf(sessionId: string): string | undefined {
    return this.#guests.get(sessionId);
  }

  /** Reports each session that was closed, or could not be opened. */
  onClosed(listener: (sessionId: string) => void): void {
    this.#listeners.push(listener);
  }

  close(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#guests.delete(sessionId);
    this.#children.delete(sessionId);
    for (const listener of this.#listeners) listener(sessionId);
  }
}

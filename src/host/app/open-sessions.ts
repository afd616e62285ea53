import type { Session } from "../../contract/conversation/session.ts";

/** The open sessions of this process. */
export class OpenSessions {
  readonly #sessions = new Map<string, Session>();
  /** Maps a session to its chat user, for sessions that are not the owner's. */
  readonly #guests = new Map<string, string>();
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

  add(session: Session): void {
    this.#used = true;
    this.#sessions.set(session.id, session);
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
    for (const listener of this.#listeners) listener(sessionId);
  }
}

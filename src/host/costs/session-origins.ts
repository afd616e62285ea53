/** For whom the requests of a session are sent. */
export interface SessionOrigin {
  /** The session that a surface opened; its subagents and the other items of a batch have the same. */
  readonly topSessionId: string;
  /** A subagent's: the turn of the topmost session in which it was started. */
  readonly topTurnId?: string;
  /** The chat user; `undefined`: the owner. */
  readonly user?: string;
  readonly job?: string;
}

/** The open sessions of this process, as the ledger of requests knows them. */
export class SessionOrigins {
  readonly #origins = new Map<string, SessionOrigin>();
  /** The newest turn of each topmost session. */
  readonly #turns = new Map<string, string>();

  opened(sessionId: string, origin: Omit<SessionOrigin, "topSessionId"> & { readonly topSessionId?: string }): void {
    this.#origins.set(sessionId, { ...origin, topSessionId: origin.topSessionId ?? sessionId });
  }

  /** A subagent's session belongs to its parent's. */
  openedBelow(sessionId: string, parentId: string): void {
    const parent = this.of(parentId);
    this.#origins.set(sessionId, { ...parent, topTurnId: parent.topTurnId ?? this.#turns.get(parentId) });
  }

  closed(sessionId: string): void {
    this.#origins.delete(sessionId);
    this.#turns.delete(sessionId);
  }

  of(sessionId: string): SessionOrigin {
    return this.#origins.get(sessionId) ?? { topSessionId: sessionId };
  }

  /** A request of a turn is sent. @returns the turn of the topmost session that it belongs to. */
  turn(sessionId: string, turnId: string | undefined): string | undefined {
    const { topTurnId } = this.of(sessionId);
    if (topTurnId !== undefined) return topTurnId;
    if (turnId !== undefined) this.#turns.set(sessionId, turnId);
    return turnId ?? this.#turns.get(sessionId);
  }
}
